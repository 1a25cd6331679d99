internal import Model
internal import Policy

extension PolicyComparison {
  /// The comparison for people. Ends with a line break.
  ///
  /// - Parameters:
  ///   - old: the name of the first policy.
  ///   - new: the name of the second policy.
  public func text(old: String, new: String) -> String {
    (lines(old: old, new: new) + [""] + Legend.lines).joinedLines
  }

  func lines(old: String, new: String) -> [String] {
    var lines = ["A: \(old)", "B: \(new)", ""]
    if isSameBehaviour { lines += ["Every flow is decided alike.", ""] }
    for (title, flows) in headings {
      let paragraphs = FlowParagraph.all(flows)
      lines += [title, ""]
      var causes: [SettingDifference]?
      for paragraph in paragraphs.sorted(by: { $0.rank < $1.rank }) {
        if paragraph.causes != causes { lines += paragraph.causes.map { "  \($0.text)" } + [""] }
        causes = paragraph.causes
        lines += paragraph.lines.map { "  " + $0 } + [""]
      }
    }
    lines += balanceLines
    lines += storageLines
    lines += Self.list("Settings that differ without effect on any flow in either policy", inert)
    lines += Self.list("Access requirements and conditional launch", requirements)
    lines += targetingLines
    return Array(lines.dropLast())
  }

  private var balanceLines: [String] {
    guard !balanced.isEmpty else { return [] }
    return ["Settings that act together: no flow changes, and yet one policy depends on them", ""]
      + balanced.flatMap { $0.lines + [""] }
  }

  private var storageLines: [String] {
    guard let storage else { return [] }
    return [
      "Storage of files: no flow changes", "", "  \(storage.setting.text)",
      "    A: \(StorageDifference.words(storage.old))",
      "    B: \(StorageDifference.words(storage.new))", "",
    ]
  }

  private var targetingLines: [String] {
    guard !targeting.isEmpty else { return [] }
    return ["Whom the policy is for", ""] + targeting.map { "  \($0.text)" } + [""]
  }

  private static func list(_ title: String, _ differences: [SettingDifference]) -> [String] {
    guard !differences.isEmpty else { return [] }
    return [title, ""] + differences.map { "  \($0.text)" } + [""]
  }
}

extension BalancedDifference {
  fileprivate var lines: [String] {
    let (name, other) = holder == .old ? ("A", "B") : ("B", "A")
    return [
      "  \(setting.text)",
      "    for example \(with.request.endsText)",
      "      \(with.request.detailText)",
      "      \(name) \(with.text)",
      "      \(name) with the value of \(other) \(without.text)",
      "      \(with.request.decideLine)",
    ]
  }
}
