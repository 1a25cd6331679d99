internal import Activation
internal import Analysis
internal import Model
internal import Policy

extension Sheet {
  /// All facts about one destination of this sheet: the findings for and against it, the activation rule as a tree, and
  /// the policies' verdict. Ends with a line break.
  package func explanation(of destination: SheetDestination) -> String {
    var lines = ["\(destination.title): \(destination.visibility.text)"]
    let bundle = destination.bundleID.map { " (\($0))" } ?? ""
    lines.append("  \(destination.kind.title) \(destination.name)\(bundle)")
    lines.append("  \(sharing.headline)")
    if let offer = sharing.offer { lines.append("  \(offer)") }
    lines += destination.findingLines
    if let rule = destination.rule {
      let tree = rule.explain(sharing.offeredItems, types: sharing.types)
      lines += ["", "Activation rule; > marks what decides:"] + tree.lines(indent: "  ")
    }
    lines += ["", "Policies:"]
    let verdict = destination.transfer.explained.text(on: destination.transfer.request)
    lines += verdict.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      $0.isEmpty ? "" : "  \($0)"
    }
    return lines.joinedLines
  }
}

extension SheetDestination {
  fileprivate var findingLines: [String] {
    guard !findings.isEmpty else { return [] }
    return [""]
      + findings.map { finding in
        let mark =
          switch finding.effect {
          case .hides: "✗"
          case .offers: "✓"
          case .remark: "·"
          }
        return "\(mark) \(finding.code): \(finding.text)"
      }
  }
}

extension ActivationExplanation {
  /// The tree, with a line for each part, such as `> fails  any of these`.
  func lines(indent: String) -> [String] {
    let detail = detail.map { ": \($0)" } ?? ""
    let own = "\(indent)\(decides ? ">" : " ") \(verdict.text)  \(text)\(detail)"
    return [own] + parts.flatMap { $0.lines(indent: indent + "  ") }
  }
}

extension ActivationExplanation.Verdict {
  var text: String {
    switch self {
    case .holds: "holds"
    case .fails: "fails"
    case .counts(let count, let total): "\(count) of \(total)"
    }
  }
}
