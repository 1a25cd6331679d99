internal import HTML
internal import Policy

extension PolicySetComparison {
  /// The comparison as one HTML file: a summary, then each policy that changed, before and after.
  ///
  /// - Parameters:
  ///   - old: the name of the first set.
  ///   - new: the name of the second set.
  public func html(old: String, new: String) -> String {
    HTMLWriter.report(title: "\(old) -> \(new)", lead: [summary]) { writer in
      Self.write(added.map(\.title), as: "Added", to: &writer)
      Self.write(removed.map(\.title), as: "Removed", to: &writer)
      Self.write(unchanged.map(\.new.title), as: "Unchanged", to: &writer)
      Legend.write(to: &writer)
      for pair in changed {
        let table = PolicyTable([pair.old, pair.new])
        let title = "Changed: \(pair.new.displayName)"
        writer.addressed("h2", at: writer.address(of: title), text: title)
        pair.writeSummary(table, to: &writer)
        pair.writeDetails(table, to: &writer)
      }
    }
  }

  private static func write(
    _ names: [String], as title: String, to writer: inout HTMLWriter
  ) {
    guard !names.isEmpty else { return }
    writer.element("h2", text: title)
    writer.element("ul") { writer in
      for name in names { writer.element("li", text: name) }
    }
  }
}

extension PolicySetComparison.Pair {
  /// The comparison as one HTML file.
  public func html() -> String {
    HTMLWriter.report(title: "\(old.displayName) -> \(new.displayName)") { writer in
      let table = PolicyTable([old, new])
      writeSummary(table, to: &writer)
      Legend.write(to: &writer)
      writeDetails(table, to: &writer)
    }
  }

  fileprivate func writeSummary(_ table: PolicyTable, to writer: inout HTMLWriter) {
    writer.element("ul") { writer in
      writer.element("li", text: "A: \(old.title)")
      writer.element("li", text: "B: \(new.title)")
      for line in comparison.counts { writer.element("li", text: line) }
      writer.element("li", text: "Side by side, \(table.summary)")
    }
  }

  fileprivate func writeDetails(_ table: PolicyTable, to writer: inout HTMLWriter) {
    comparison.writeSettings(to: &writer)
    comparison.writeFlows(to: &writer)
    writer.element("h3", text: "Side by side")
    table.write(to: &writer)
  }
}
