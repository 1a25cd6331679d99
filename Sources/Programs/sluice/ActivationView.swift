internal import Activation
internal import UniformTypes

/// Explains whether an activation rule matches certain items, and which part decided.
struct ActivationView {
  let rule: ActivationRule
  let items: [SharedItem]
  let types: TypeLibrary

  var matches: Bool { rule.matches(items, types: types) }

  var explanation: ActivationExplanation { rule.explain(items, types: types) }

  /// The tree: a line for each part, indented below its whole, `>` before the parts that decide.
  var text: String {
    Self.lines(explanation, indent: "").joined(separator: "\n") + "\n"
  }

  private static func lines(_ explanation: ActivationExplanation, indent: String) -> [String] {
    let verdict =
      switch explanation.verdict {
      case .holds: "yes"
      case .fails: "no"
      case .counts(let count, let total): "\(count) of \(total)"
      }
    let mark = explanation.decides ? "> " : "  "
    let detail = explanation.detail.map { "  (\($0))" } ?? ""
    return ["\(mark)\(indent)\(verdict): \(explanation.text)\(detail)"]
      + explanation.parts.flatMap { lines($0, indent: indent + "  ") }
  }
}
