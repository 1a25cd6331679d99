internal import Model
internal import Policy

/// The answer to a request.
struct Answer: Sendable, Hashable {
  var outcome: Outcome
  /// Whether the request is allowed, and the receiver takes the data for data of its own organisation.
  var becomesOrgData: Bool

  init(to request: TransferRequest) {
    let verdict = evaluate(request)
    outcome = verdict.outcome
    becomesOrgData =
      outcome == .allowed && verdict.reasons.contains { $0.rule == .incomingOrgData }
  }
}
