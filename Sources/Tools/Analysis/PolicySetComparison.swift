internal import Encodings
internal import Output
package import Policy

/// The differences between two sets of policies, where one set replaces the other.
package struct PolicySetComparison: Sendable {
  /// Policies in the new set without a counterpart in the old set.
  package private(set) var added: [PolicyDocument] = []
  package private(set) var removed: [PolicyDocument] = []
  /// Policies that are in both sets and differ.
  package private(set) var changed: [Pair] = []
  /// Policies that are in both sets and have no difference that Sluice recognises.
  package private(set) var unchanged: [Pair] = []

  /// A policy before and after the change.
  package struct Pair: Sendable {
    package var old: PolicyDocument
    package var new: PolicyDocument
    package var comparison: PolicyComparison

    package init(_ old: PolicyDocument, _ new: PolicyDocument) {
      self.old = old
      self.new = new
      comparison = PolicyComparison(old, new)
    }

    /// Returns the comparison as one HTML file.
    ///
    /// - Parameter sentences: Sentences about the changes for the beginning of the page.
    package func html(beginning sentences: [String] = []) -> String {
      let title =
        old.displayName == new.displayName
        ? "\(old.displayName): \(Self.fileName(of: old)) → \(Self.fileName(of: new))"
        : "\(old.displayName) → \(new.displayName)"
      return HTMLWriter.report(title: title, lead: sentences + [comparison.headline]) { writer in
        let table = PolicyTable([old, new])
        writeSummary(table, to: &writer)
        Legend(of: lines(table)).write(to: &writer)
        writer.element("h2", text: "Changes")
        writeDetails(table, to: &writer)
      }
    }

    private static func fileName(of policy: PolicyDocument) -> String {
      policy.file.split(separator: "/").last.map(String.init) ?? policy.file
    }

    fileprivate func lines(_ table: PolicyTable) -> [String] {
      comparison.counts + comparison.lines(old: old.title, new: new.title) + table.lines()
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
      table.writeDifferences(to: &writer)
      comparison.writeSettings(to: &writer)
      comparison.writeFlows(to: &writer)
      writer.element("h3", text: "Side by side")
      table.write(to: &writer)
    }
  }

  /// Creates the comparison. Policies are paired by id, and the remaining policies by display name. Policies with the
  /// same id or name are paired in their order.
  package init(_ old: [PolicyDocument], _ new: [PolicyDocument]) {
    var partners: [Int: Int] = [:]
    var free = Array(new.indices)
    let keys: [KeyPath<PolicyDocument, String?>] = [\.id, \.name]
    for key in keys {
      for index in old.indices where partners[index] == nil {
        guard let value = old[index][keyPath: key],
          let place = free.firstIndex(where: { new[$0][keyPath: key] == value })
        else { continue }
        partners[index] = free.remove(at: place)
      }
    }
    for index in old.indices {
      guard let partner = partners[index] else {
        removed.append(old[index])
        continue
      }
      let pair = Pair(old[index], new[partner])
      if pair.comparison.isEmpty { unchanged.append(pair) } else { changed.append(pair) }
    }
    added = free.map { new[$0] }
  }

  /// Whether no policy was added or removed, and each changed policy decides every flow as before.
  package var isSameBehaviour: Bool {
    added.isEmpty && removed.isEmpty && changed.allSatisfy(\.comparison.isSameBehaviour)
  }

  private var pageSummary: String { "Policies: \(summary)." }

  /// The numbers of policies by change, such as `1 added, 0 removed, 2 changed, 3 unchanged`.
  private var summary: String {
    "\(added.count) added, \(removed.count) removed, \(changed.count) changed, \(unchanged.count) unchanged"
  }
}

extension PolicyDocument {
  /// The display name as an optional, because pairing requires key paths of one type.
  fileprivate var name: String? { displayName }

  fileprivate var title: String { "\(displayName) (\(file))" }
}

// MARK: - Text

extension PolicySetComparison {
  /// Returns the comparison as text with a final line break. `old` and `new` are the names of the sets.
  package func text(old: String, new: String) -> String {
    var lines = ["\(old) -> \(new): \(summary)"]
    lines += Self.list("Added", added.map(\.title))
    lines += Self.list("Removed", removed.map(\.title))
    lines += Self.list("Unchanged", unchanged.map(\.new.title))
    for pair in changed {
      lines += ["", "Changed: \(pair.new.displayName)", ""]
      lines += pair.comparison.lines(old: pair.old.title, new: pair.new.title)
    }
    let legend = Legend(of: lines).lines
    return (lines + (legend.isEmpty ? [] : [""] + legend)).joinedLines
  }

  private static func list(_ title: String, _ names: [String]) -> [String] {
    names.isEmpty ? [] : ["", title] + names.map { "  \($0)" }
  }

  // MARK: JSON

  /// Returns the comparison as one JSON object with a final line break; see `docs/schema/diff.schema.json`.
  package func json(old: String, new: String) -> String {
    JSONWriter.objectLine { writer in
      writer.member("old", old)
      writer.member("new", new)
      writer.member("same", isSameBehaviour)
      Self.write(added, as: "added", to: &writer)
      Self.write(removed, as: "removed", to: &writer)
      Self.write(unchanged.map(\.new), as: "unchanged", to: &writer)
      writer.objects("changed", of: changed) { writer, pair in
        writer.member("policy", pair.new.displayName)
        writer.member("id", pair.new.id)
        pair.comparison.write(old: pair.old.file, new: pair.new.file, to: &writer)
      }
    }
  }

  private static func write(
    _ documents: [PolicyDocument], as name: StaticString, to writer: inout JSONWriter
  ) {
    writer.objects(name, of: documents) { writer, document in
      writer.member("policy", document.displayName)
      writer.member("id", document.id)
      writer.member("file", document.file)
    }
  }

  // MARK: HTML

  /// Returns the comparison as one HTML file: a summary, then each changed policy before and after. `old` and `new` are
  /// the names of the sets.
  ///
  /// - Parameter sentences: Returns sentences about a policy's changes, which precede the policy's tables.
  package func html(
    old: String, new: String, beginning sentences: (Pair) -> [String] = { _ in [] }
  ) -> String {
    HTMLWriter.report(title: "\(old) → \(new)", lead: [pageSummary]) { writer in
      Self.write(added.map(\.title), as: "Added", to: &writer)
      Self.write(removed.map(\.title), as: "Removed", to: &writer)
      Self.write(unchanged.map(\.new.title), as: "Unchanged", to: &writer)
      let pairs = changed.map { ($0, PolicyTable([$0.old, $0.new])) }
      Legend(of: pairs.flatMap { $0.lines($1) }).write(to: &writer)
      for (pair, table) in pairs {
        let title = "Changed: \(pair.new.displayName)"
        writer.addressed("h2", at: writer.address(of: title), text: title)
        for text in sentences(pair) + [pair.comparison.headline] {
          writer.line("p") { $0.prose(text) }
        }
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
