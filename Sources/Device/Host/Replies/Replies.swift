internal import Model
internal import Policy
internal import Wire

/// Ends guests' requests: records the end, and sends the outcome to the guest. Also records most decisions.
final class Replies {
  private let audit: AuditLog
  private let tags: TagAuthority
  private let transaction: LoopTransaction
  private let flow: FlowControl
  private let memory: MemoryLender
  /// The maximum number of bytes of buffered answers for a guest. A guest with more is paused until it has read its
  /// answers.
  private let backlog: Int
  /// Returns whether a fault drops the answer to a request. Nil if there is no such fault.
  var isLost: ((PendingRequest) -> Bool)?

  init(
    audit: AuditLog, tags: TagAuthority, transaction: LoopTransaction, flow: FlowControl,
    memory: MemoryLender, backlog: Int
  ) {
    self.audit = audit
    self.tags = tags
    self.memory = memory
    self.transaction = transaction
    self.flow = flow
    self.backlog = backlog
  }

  /// Refuses a request because of a rule that does not depend on a policy. Records the decision and answers the guest.
  func refuse(
    _ pending: PendingRequest, _ operation: Operation, _ rule: Rule, subject: String? = nil
  ) {
    answer(
      pending, operation, Verdict([Reason(rule, .device)]), subject: subject, end: .refused)
  }

  /// Records the decision on a request that is not a transfer, and answers the guest.
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

  /// Records the decision on a request for an item, and answers the guest. The answer contains the item if the verdict
  /// allows it, and the encrypted item if the verdict requires encryption.
  ///
  /// - Parameter form: The form of the item. It determines the end that is recorded for the request.
  func answer(
    _ pending: PendingRequest, _ operation: Operation, with item: Item,
    _ decision: TransferDecision,
    sender: Participant?, subject: String? = nil, as form: ItemForm = .plain
  ) {
    let ownership = decision.ownership(at: pending.actingIdentity)
    let likely = sender.map { tags.likely(item, from: $0.app, knowing: decision.from) } ?? []
    if decision.verdict.outcome == .allowed {
      tags.handed(item, pending.number, to: pending.guest.app.bundleID)
    }
    audit.decided(
      pending, by: decision,
      RequestDecision(
        request: pending.number, operation: operation, via: decision.request.via, sender: sender,
        receiver: (decision.receivedBy ?? pending.actingIdentity).participant,
        owner: ownership.owner.account?.upn ?? "",
        type: item.type, bytes: item.payload.count, from: decision.from, likely: likely,
        subject: subject, verdict: decision.explained))
    if decision.verdict.outcome != .blocked { audit.handedOver(pending.number, item) }
    switch decision.verdict.outcome {
    case .blocked: finish(pending, decision.outcome(.refused))
    case .encrypted:
      finish(
        pending,
        decision.outcome(
          .deliveredEncrypted, items: [tags.tagged(tags.encrypted(item), ownership, pending.number)]
        ))
    case .allowed:
      finish(
        pending,
        decision.outcome(
          form == .plain ? .delivered : .deliveredEncrypted,
          items: [tags.tagged(item, ownership, pending.number)]))
    }
  }

  /// Ends a decided request, and sends its guest an outcome that is already encoded.
  func finish(
    _ pending: PendingRequest, _ end: RequestEnd, _ answer: PackedOutcome, detail: String? = nil
  ) {
    audit.ended(pending.number, end, detail: detail)
    guard let connection = pending.openConnection, isLost?(pending) != true else { return }
    connection.outgoing.appendOutcome(request: pending.request, answer)
    scheduleSend(pending.guest, connection)
  }

  /// Ends a decided request, and sends its guest an outcome with items or a status.
  func finish(_ pending: PendingRequest, _ outcome: RequestOutcome, detail: String? = nil) {
    audit.ended(pending.number, outcome.end, detail: detail, status: outcome.status)
    guard let connection = pending.openConnection, isLost?(pending) != true else { return }
    memory.placing(in: pending.guest) {
      connection.outgoing.append(
        HostMessage(request: pending.request, .outcome(outcome)), using: transaction.encoding)
    }
    scheduleSend(pending.guest, connection)
  }

  /// Schedules the guest's buffered answers to be sent at the end of the transaction. If too many answers are buffered,
  /// pauses the guest.
  private func scheduleSend(_ guest: Guest, _ connection: GuestConnection) {
    transaction.markDirty(connection)
    if connection.outgoing.count > backlog { flow.pause(guest, for: guest) }
  }

  /// Marks a request as answered, so the guest's next request can be processed. Does nothing if the process has exited.
  func resolve(_ pending: PendingRequest) {
    guard pending.openConnection != nil else { return }
    pending.guest.mailbox.unansweredRequests -= 1
    transaction.scheduleResume(pending.guest)
  }
}

/// The form in which a guest receives an item.
enum ItemForm {
  case plain
  /// Ciphertext from another device, which this device cannot decrypt.
  case ciphertext
}

// MARK: - Requests

/// A guest's request that has not yet ended.
struct PendingRequest {
  /// The request's number on the device.
  var number: Int
  var guest: Guest
  /// The number of the guest's process that sent the request. If the guest has restarted, its connection is to another
  /// process, which must not get the outcome.
  private let incarnation: Int
  /// The request's number on the guest's connection.
  var request: UInt64
  /// Whether the guest gets an outcome only if the request fails.
  var isPosted = false
  var actingIdentity: ActingIdentity

  init(
    number: Int, guest: Guest, request: UInt64, isPosted: Bool = false,
    actingIdentity: ActingIdentity? = nil
  ) {
    self.number = number
    self.guest = guest
    self.actingIdentity = actingIdentity ?? guest.acting.actingIdentity
    incarnation = guest.process.incarnation
    self.request = request
    self.isPosted = isPosted
  }

  /// The connection for the outcome; nil if the process that sent the request has exited.
  var openConnection: GuestConnection? {
    guest.process.incarnation == incarnation ? guest.connection : nil
  }
}

// MARK: - Decisions on transfers

/// A verdict on a transfer, with the data for the receiver, the answer and the journal that follow from it. It is
/// computed once and reused for identical transfers (``LastDecision``).
final class TransferDecision {
  let request: TransferRequest
  let verdict: Verdict
  let ownership: Ownership
  /// The numbers of the requests by which the sender received the source items. They come from tags or the device's
  /// records.
  let from: [Int]
  /// The original request, if it was refused and the receiver then agreed to get the data for an unmanaged account.
  /// Otherwise nil.
  private let refused: TransferRequest?
  /// The identity for which the receiver gets the data; nil for the receiver's acting identity.
  let receivedBy: ActingIdentity?
  private let arena: Arena

  init(
    _ request: TransferRequest, _ verdict: Verdict, _ ownership: Ownership, arena: Arena,
    from: [Int] = [], insteadOf refused: TransferRequest? = nil,
    receivedBy: ActingIdentity? = nil
  ) {
    self.receivedBy = receivedBy
    self.from = from
    self.request = request
    self.verdict = verdict
    self.ownership = ownership
    self.refused = refused
    self.arena = arena
    delivered = verdict.outcome == .encrypted ? .deliveredEncrypted : .delivered
    transfersOwnership = verdict.reasons.contains { $0.rule == .incomingOrgData }
  }

  /// The request that was evaluated first: the original request if it was refused, and otherwise ``request``.
  var asked: TransferRequest { refused ?? request }
  /// The name that the journal uses for the facts evaluated for this decision; nil if they have not been recorded.
  var facts: String?

  /// The end to record for the request if the transfer reaches its receiver.
  let delivered: RequestEnd
  /// Whether the receiver's account becomes the owner of the data. This is the case if the data has no owner and the
  /// receiver's policy treats incoming data as org data.
  private let transfersOwnership: Bool
  /// The verdict's explanation, for the journal. If an unmanaged account gets the data after the original request was
  /// refused, the reason for this cites the policy in the original request.
  private(set) lazy var explained = Explainer.explain(request, verdict, insteadOf: refused)
  /// The encoded answer to the sender after a transfer has reached its receiver.
  private(set) lazy var deliveredAnswer = answer(delivered)
  private var template: (type: [UInt8], text: DecisionTemplate)?

  /// Returns the ownership that the item has once the receiver gets it. If the item has no owner and the receiver's
  /// policy treats incoming data as org data, the receiver's account becomes the owner.
  func ownership(at receiver: ActingIdentity) -> Ownership {
    transfersOwnership ? (receivedBy ?? receiver).ownership : ownership
  }

  /// Returns the encoded answer to the sender of a transfer that ends with `end`.
  func answer(_ end: RequestEnd) -> PackedOutcome { PackedOutcome(outcome(end), using: arena) }

  func outcome(_ end: RequestEnd, status: Int = 0, items: [Item] = []) -> RequestOutcome {
    RequestOutcome(
      verdict: verdict.outcome, end: end, reasons: verdict.reasons.map(OutcomeReason.init),
      status: status, items: items)
  }

  /// Returns the template for journal lines of this decision about items of a type; nil if none has been set.
  func template(of type: UnsafeRawBufferPointer) -> DecisionTemplate? {
    guard let template, type.isSame(as: template.type) else { return nil }
    return template.text
  }

  func setTemplate(_ text: DecisionTemplate, of type: UnsafeRawBufferPointer) {
    template = (Array(type), text)
  }
}
