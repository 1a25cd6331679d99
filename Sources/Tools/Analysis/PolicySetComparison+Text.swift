internal import Policy

extension PolicySetComparison {
  /// The comparison for people. Ends with a line break.
  ///
  /// - Parameters:
  ///   - old: the name of the first set.
  ///   - new: the name of the second set.
  public func text(old: String, new: String) -> String {
    var lines = ["\(old) -> \(new): \(summary)"]
    lines += Self.list("Added", added.map(\.title))
    lines += Self.list("Removed", removed.map(\.title))
    lines += Self.list("Unchanged", unchanged.map(\.new.title))
    for pair in changed {
      lines += ["", "Changed: \(pair.new.displayName)", ""]
      lines += pair.comparison.lines(old: pair.old.title, new: pair.new.title)
    }
    if !changed.isEmpty { lines += [""] + Legend.lines }
    return lines.joinedLines
  }

  private static func list(_ title: String, _ names: [String]) -> [String] {
    names.isEmpty ? [] : ["", title] + names.map { "  \($0)" }
  }
}
