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
    for change in FlowDifference.Change.allCases {
      let paragraphs = FlowParagraph.all(flows.filter { $0.change == change })
      guard !paragraphs.isEmpty else { continue }
      lines += [change.title, ""]
      if change == .becomesEncrypted { lines += Self.oldReleaseLines(paragraphs) }
      var causes: [SettingDifference]?
      for paragraph in paragraphs.sorted(by: { $0.rank < $1.rank }) {
        if paragraph.causes != causes { lines += paragraph.causes.map { "  \($0.text)" } + [""] }
        causes = paragraph.causes
        lines += paragraph.lines.map { "  " + $0 } + [""]
      }
    }
    lines += balanceLines
    lines += Self.list("Settings that differ without effect on any flow in either policy", inert)
    lines += Self.list("Access requirements and conditional launch", requirements)
    lines += targetingLines
    return Array(lines.dropLast())
  }

  /// A note where flows become encrypted in apps with an old SDK alone, which a matrix does not show.
  private static func oldReleaseLines(_ paragraphs: [FlowParagraph]) -> [String] {
    let isOld = paragraphs.flatMap(\.flows).contains { $0.scene.sdkVersion != nil }
    guard isOld else { return [] }
    return """
      Flows marked with a release of the SDK end so only in apps whose SDK is as old: newer ones block them. \
      `sluice matrix` shows apps with the newest SDK.
      """.wrapped(to: 118, indentedBy: "  ").map { "  " + $0 } + [""]
  }

  private var balanceLines: [String] {
    guard !balanced.isEmpty else { return [] }
    return ["Settings that act together: no flow changes, and yet one policy depends on them", ""]
      + balanced.flatMap { $0.lines + [""] }
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
