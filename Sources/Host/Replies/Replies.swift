internal import Policy
internal import Transfer
internal import Wire

/// Answers to guests' requests: the end of each is recorded, and told to whoever asked.
final class Replies {
  private let audit: AuditLog
  private let turn: Turn
  private let flow: FlowControl
  /// Bytes that may wait for one guest before it has to wait itself.
  private let backlog: Int

  init(audit: AuditLog, turn: Turn, flow: FlowControl, backlog: Int) {
    self.audit = audit
    self.turn = turn
    self.flow = flow
    self.backlog = backlog
  }

  /// Answers a request that fails before any policy is asked.
  func refuse(
    _ origin: Origin, _ operation: Operation, _ rule: Rule, subject: String? = nil
  ) {
    answer(
      origin, operation, Verdict([Reason(rule, .device)]), subject: subject, end: .refused)
  }

  /// Records and answers a decision about something other than a transfer.
  func answer(
    _ origin: Origin, _ operation: Operation, _ verdict: Verdict, subject: String? = nil,
    citing citations: [Setting: Explainer.Citation] = [:], end: RequestEnd, status: Int = 0,
    items: [Item] = [], detail: String? = nil
  ) {
    audit.decided(
      origin,
      RequestDecision(
        request: origin.number, operation: operation, sender: origin.persona.participant,
        subject: subject, verdict: Explainer.explain(verdict, citing: citations)))
    finish(
      origin,
      RequestOutcome(
        verdict: verdict.outcome, end: end, reasons: verdict.reasons.map(OutcomeReason.init),
        status: status, items: items), detail: detail)
  }

  /// Ends a request that was decided, and tells its sender.
  func finish(
    _ origin: Origin, _ end: RequestEnd, _ answer: PackedOutcome, detail: String? = nil
  ) {
    audit.ended(origin.number, end, detail: detail)
    guard let connection = origin.openConnection else { return }
    connection.outgoing.appendOutcome(request: origin.request, answer)
    told(origin.guest, connection)
  }

  /// The same for an outcome with items or a status.
  func finish(_ origin: Origin, _ outcome: RequestOutcome, detail: String? = nil) {
    audit.ended(origin.number, outcome.end, detail: detail, status: outcome.status)
    guard let connection = origin.openConnection else { return }
    connection.outgoing.append(
      HostMessage(request: origin.request, .outcome(outcome)), using: turn.encoding)
    told(origin.guest, connection)
  }

  /// Who asks faster than it listens has to wait for itself.
  private func told(_ guest: Guest, _ connection: GuestConnection) {
    turn.markDirty(connection)
    if connection.outgoing.count > backlog { flow.hold(guest, for: guest) }
  }

  /// A request has what it waited for: the next one of the same process may go on.
  func settle(_ origin: Origin) {
    guard origin.openConnection != nil else { return }
    origin.guest.mailbox.unsettled -= 1
    turn.scheduleResume(origin.guest)
  }
}
