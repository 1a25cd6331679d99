internal import Model
internal import Policy

/// What the rules were asked by requests of a journal that are alike, and what they answered.
struct RecordedQuestion: Hashable {
  /// The name of the facts.
  var facts: String
  var kind: Kind
  var outcome: Outcome
  var reasons: [Reason]

  enum Kind: Hashable {
    case transfer
    /// Whether an item that came may be shown: the receiving side alone is asked.
    case receiving
    /// The receiver was asked to switch to an unmanaged account, and did.
    case switched
  }

  /// A reason, as far as verdicts are compared.
  struct Reason: Hashable {
    var rule: Rule
    var side: Side
  }

  /// The question of a decision; nil where no rules were asked.
  init?(_ decision: RequestDecision) {
    guard let facts = decision.facts else { return nil }
    self.facts = facts
    kind =
      if decision.operation == .canReceive {
        .receiving
      } else if decision.verdict.reasons.first?.rule == .documentImport {
        .switched
      } else {
        .transfer
      }
    outcome = decision.verdict.outcome
    reasons = decision.verdict.reasons.map { Reason(rule: $0.rule, side: $0.side) }
  }

  /// The answer to the same question about `request`, and the request that it is about.
  func answer(on request: TransferRequest) -> (request: TransferRequest, verdict: Verdict) {
    if kind == .receiving { return (request, evaluateReceiving(request)) }
    let verdict = evaluate(request)
    guard kind == .switched, let switched = documentImport(for: request, verdict: verdict) else {
      return (request, verdict)
    }
    return (switched, evaluate(importing: switched))
  }
}
