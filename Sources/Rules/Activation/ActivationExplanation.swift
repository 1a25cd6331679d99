/// The result of a rule, or of a part of one, for certain items.
package struct ActivationExplanation: Sendable, Equatable {
  /// The part in one line; a predicate stands without the conditions of its `SUBQUERY`, which follow in ``parts``.
  package var text: String
  package var verdict: Verdict
  /// The compared values: `2 == 1`; nil where the text says it all.
  package var detail: String?
  /// Whether the rule's verdict depends on the verdict of this part.
  package var decides: Bool
  /// The line where the part begins in the predicate, from 1; nil for elements of lists and in dictionary rules.
  package var line: Int?
  package var column: Int?
  package var parts: [ActivationExplanation]

  /// The verdict of a part.
  package enum Verdict: Sendable, Equatable {
    case holds
    case fails
    /// The number of elements of a list that fit, and the number of all.
    case counts(Int, of: Int)
  }

  /// Creates an explanation of a part, and of the parts within it.
  package init(
    text: String, verdict: Verdict, detail: String? = nil, decides: Bool, line: Int? = nil,
    column: Int? = nil, parts: [ActivationExplanation] = []
  ) {
    self.text = text
    self.verdict = verdict
    self.detail = detail
    self.decides = decides
    self.line = line
    self.column = column
    self.parts = parts
  }
}

extension ActivationExplanation.Verdict {
  init(_ holds: Bool) { self = holds ? .holds : .fails }
}
