public import Model
public import Policy

extension ExplainedVerdict {
  /// The verdict on `request` for people: a headline, the rules in order, the deciding one marked with `>`, and the
  /// changes that would lead to another answer. Ends with a line break.
  public func text(on request: TransferRequest) -> String {
    var lines = [
      "\(outcome.rawValue.uppercased()): \(request.endsText)", "  \(request.detailText)",
    ]
    lines.append("")
    let decided = reasons.firstIndex { $0.rule == deciding }
    for (index, reason) in reasons.enumerated() {
      lines += reason.lines(number: index + 1, isDeciding: index == decided)
    }
    lines.append("")
    lines += changeLines
    return lines.joinedLines
  }

  private var changeLines: [String] {
    let goal =
      switch outcome {
      case .allowed: "block it"
      case .encrypted: "deliver it readable"
      case .blocked: "allow it"
      }
    guard !changes.isEmpty else { return ["To \(goal): no setting would."] }
    let end = " would \(goal)"
    return ["To \(goal):"]
      + changes.map { "  - \($0.hasSuffix(end) ? String($0.dropLast(end.count)) : $0)" }
  }
}

extension Explanation {
  /// The reason as lines: a head such as `> 1. sendNone (sender) decides (assumed)`, the setting, and the sentence.
  fileprivate func lines(number: Int, isDeciding: Bool) -> [String] {
    let mark = isDeciding ? ">" : " "
    let decides = isDeciding ? " decides" : ""
    let assumed = isAssumed ? " (assumed)" : ""
    var lines = ["\(mark) \(number). \(rule.rawValue) (\(side.rawValue))\(decides)\(assumed)"]
    lines += citation.map { ["     \($0)"] } ?? []
    return lines + ["     \(text)"]
  }

  /// The setting with its value, such as `Send org data to other apps = None (a.json:3)`; nil where the rule reads no
  /// setting.
  var citation: String? {
    guard let label else { return nil }
    let place = source.map { " (\($0))" } ?? ""
    return value.map { "\(label) = \($0)\(place)" } ?? "\(label)\(place)"
  }
}
