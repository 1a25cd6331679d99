/// What a rule, or a part of one, came to for certain items.
package struct ActivationExplanation: Sendable, Equatable {
  /// The part, in one line; of a predicate without what a `SUBQUERY` asks, which follows in ``parts``.
  package var text: String
  package var verdict: Verdict
  /// What was compared: `2 == 1`; nil where the text says it all.
  package var detail: String?
  /// Whether the rule's verdict would not be what it is without this part's.
  package var decides: Bool
  /// Where the part begins in the predicate, from 1; nil for elements of lists and in dictionary rules.
  package var line: Int?
  package var column: Int?
  package var parts: [ActivationExplanation]

  package enum Verdict: Sendable, Equatable {
    case holds
    case fails
    /// So many elements of a list fit.
    case counts(Int, of: Int)
  }

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
