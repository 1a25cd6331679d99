internal import Model
internal import Policy
internal import Wire

/// Answers to guests' requests: the end of each is recorded, and told to the guest that asked.
final class Replies {
  private let audit: AuditLog
  private let turn: Turn
  private let flow: FlowControl
  private let memory: MemoryLender
  /// Bytes that may wait for one guest before it has to wait for itself.
  private let backlog: Int
  /// Whether the answer to a request is lost on its way; nil: none is.
  var isLost: ((PendingRequest) -> Bool)?

  init(audit: AuditLog, turn: Turn, flow: FlowControl, memory: MemoryLender, backlog: Int) {
    self.audit = audit
    self.memory = memory
    self.turn = turn
    self.flow = flow
    self.backlog = backlog
  }

  /// Answers a request that fails before any policy is asked.
  func refuse(
    _ pending: PendingRequest, _ operation: Operation, _ rule: Rule, subject: String? = nil
  ) {
    answer(
      pending, operation, Verdict([Reason(rule, .device)]), subject: subject, end: .refused)
  }

  /// Records and answers a decision about something other than a transfer.
  func answer(
    _ pending: PendingRequest, _ operation: Operation, _ verdict: Verdict, from: [Int] = [],
    likely: [Int] = [], subject: String? = nil,
    citing citations: [Setting: Explainer.Citation] = [:], end: RequestEnd,
    status: Int = 0,
    items: [Item] = [], detail: String? = nil
  ) {
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: operation, sender: pending.actingIdentity.participant,
        from: from, likely: likely, subject: subject,
        verdict: Explainer.explain(verdict, citing: citations)))
    finish(
      pending,
      RequestOutcome(
        verdict: verdict.outcome, end: end, reasons: verdict.reasons.map(OutcomeReason.init),
        status: status, items: items), detail: detail)
  }

  /// Ends a request that was decided, and tells the guest that made it.
  func finish(
    _ pending: PendingRequest, _ end: RequestEnd, _ answer: PackedOutcome, detail: String? = nil
  ) {
    audit.ended(pending.number, end, detail: detail)
    guard let connection = pending.openConnection, isLost?(pending) != true else { return }
    connection.outgoing.appendOutcome(request: pending.request, answer)
    told(pending.guest, connection)
  }

  /// Ends a request that was decided with an outcome that has items or a status, and tells the guest that made it.
  func finish(_ pending: PendingRequest, _ outcome: RequestOutcome, detail: String? = nil) {
    audit.ended(pending.number, outcome.end, detail: detail, status: outcome.status)
    guard let connection = pending.openConnection, isLost?(pending) != true else { return }
    memory.placing(in: pending.guest) {
      connection.outgoing.append(
        HostMessage(request: pending.request, .outcome(outcome)), using: turn.encoding)
    }
    told(pending.guest, connection)
  }

  /// Sends the answer with the turn. A guest that asks faster than it reads has to wait for itself.
  private func told(_ guest: Guest, _ connection: GuestConnection) {
    turn.markDirty(connection)
    if connection.outgoing.count > backlog { flow.hold(guest, for: guest) }
  }

  /// Ends the wait of a request for an answer: the next request of the same process may go on.
  func settle(_ pending: PendingRequest) {
    guard pending.openConnection != nil else { return }
    pending.guest.mailbox.unansweredRequests -= 1
    turn.scheduleResume(pending.guest)
  }
}
