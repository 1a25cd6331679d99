internal import DequeModule
internal import EventLoop
internal import Model
internal import Policy
internal import Wire

/// Sends guests the messages that require a response: items, URLs and calls. A guest acknowledges items and URLs in the
/// order of sending, and answers calls in any order. Each delivery ends exactly once.
final class Deliveries {
  private let limits: DeviceConfiguration.Limits
  private let loop: EventLoop
  private let transaction: LoopTransaction
  private let supervisor: GuestSupervisor
  private let tags: TagAuthority
  private let audit: AuditLog
  private let replies: Replies
  private let flow: FlowControl
  var faults: FaultInjector?
  private let memory: MemoryLender
  private var lastCall: UInt64 = 0

  init(
    limits: DeviceConfiguration.Limits, supervisor: GuestSupervisor, tags: TagAuthority,
    audit: AuditLog, replies: Replies, flow: FlowControl, memory: MemoryLender
  ) {
    self.memory = memory
    self.limits = limits
    self.supervisor = supervisor
    self.tags = tags
    self.audit = audit
    self.replies = replies
    self.flow = flow
    loop = supervisor.loop
    transaction = supervisor.transaction
  }

  // MARK: Sending

  /// Sends an item to `receiver`, now or when the receiver is ready. Starts a receiver that is not running.
  func deliver(
    _ item: FrameBuffer.ItemParts, _ decision: TransferDecision, _ pending: PendingRequest,
    _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) {
    let room = memory.room(for: item.payload.count, in: receiver)
    if item.origin == .guest, room == nil {
      item.copied { deliver($0, to: nil, decision, pending, receiver, marks) }
    } else {
      deliver(item, to: room, decision, pending, receiver, marks)
    }
    flow.pause(pending.guest, for: receiver)
  }

  /// Sends an item whose payload the sender cannot alter, or that is copied to `room`.
  private func deliver(
    _ item: FrameBuffer.ItemParts, to room: InboxRoom?, _ decision: TransferDecision,
    _ pending: PendingRequest, _ receiver: Guest, _ marks: FrameBuffer.DeliveryMarks
  ) {
    let sequence = expect(pending, receiver, decision, inboxBytes: room?.place.count ?? 0)
    let ownership = decision.ownership(at: receiver.acting.actingIdentity)
    tags.withTag(of: ownership, on: item, pending.number, copiedTo: room) { item, tag in
      pending.guest.bundleBytes.withUnsafeBytes { sender in
        withDeliveryBuffer(of: receiver) {
          $0.appendDelivery(
            sequence: sequence, item: item, at: room?.place, tag: tag, sender: sender,
            marks: marks)
        }
      }
    }
  }

  func deliver(
    url: String, from pending: PendingRequest, to receiver: Guest, _ decision: TransferDecision
  ) {
    let sequence = expect(pending, receiver, decision)
    let message = HostMessage(
      .openedURL(
        sequence: sequence, url: url, sender: pending.guest.app.bundleID,
        account: decision.ownership.owner.account?.upn ?? ""))
    withDeliveryBuffer(of: receiver) { $0.append(message, using: transaction.encoding) }
    flow.pause(pending.guest, for: receiver)
  }

  /// Sends `guest` a call that it must answer. If the guest is not ready, the call is sent once it is ready.
  ///
  /// - Returns: The number of the call.
  @discardableResult
  func ask(
    _ guest: Guest, _ call: PendingCall, _ message: (UInt64) -> HostMessage
  ) -> UInt64 {
    lastCall += 1
    if call.hasDeadline, !guest.mailbox.owesAnswers { startDeadline(guest) }
    guest.mailbox.calls[lastCall] = call
    if guest.isReady {
      transaction.send(message(lastCall), to: guest)
    } else {
      guest.mailbox.outbox.append(message(lastCall), using: transaction.encoding)
      guest.mailbox.unsentCalls.insert(lastCall)
    }
    return lastCall
  }

  func end(_ number: UInt64, with answer: CallAnswer, by guest: Guest) throws(Violation) {
    guard let call = guest.mailbox.calls[number], let complete = call.completion(with: answer)
    else { throw Violation(text: answer.asViolation) }
    guest.mailbox.calls[number] = nil
    if call.hasDeadline { madeProgress(guest) }
    complete()
    // A simulated user who does not find the control to tap closes the extension.
    if case .prepared = call, case .performed(let result) = answer, result.failure != nil {
      supervisor.supervise(guest, .stop)
    }
  }

  /// Registers a delivery that `receiver` must acknowledge. Returns the delivery's number.
  ///
  /// - Parameter inboxBytes: The size of the delivery in the receiver's inbox, in bytes.
  private func expect(
    _ pending: PendingRequest, _ receiver: Guest, _ decision: TransferDecision, inboxBytes: Int = 0
  ) -> UInt64 {
    receiver.mailbox.deliveries += 1
    if receiver.mailbox.inFlight.isEmpty, receiver.isReady { startDeadline(receiver) }
    receiver.mailbox.inFlight.append(
      InFlight(
        pending: pending, decision: decision, inboxBytes: inboxBytes))
    receiver.mailbox.inboxBytes += inboxBytes
    faults?.handedOver(pending, to: receiver)
    return receiver.mailbox.deliveries
  }

  @inline(__always)
  private func withDeliveryBuffer(of receiver: Guest, _ body: (inout FrameBuffer) -> Void) {
    if receiver.isReady, let connection = receiver.connection {
      body(&connection.outgoing)
      transaction.markDirty(connection)
    } else {
      body(&receiver.mailbox.outbox)
      wake(receiver)
    }
  }

  /// Starts the receiver if it is not running. Does not resume a suspended receiver, because only a scenario step can;
  /// instead, starts the deadline for its deliveries.
  private func wake(_ receiver: Guest) {
    if !receiver.isRunning {
      supervisor.start(receiver)
    } else if receiver.state == .suspended, receiver.mailbox.inFlight.count == 1 {
      startDeadline(receiver)
    }
  }

  /// Sends the messages that were queued before `guest` was ready. If the guest's account is locked, the messages fail
  /// instead.
  func sendOutbox(_ guest: Guest) {
    if guest.isLocked { giveUp(on: guest, "the account of `\(guest.name)` is locked") }
    guard let connection = guest.connection else { return }
    if !guest.mailbox.outbox.isEmpty {
      connection.outgoing.append(contentsOf: guest.mailbox.outbox)
      guest.mailbox.outbox.removeAll()
      guest.mailbox.unsentCalls.removeAll()
      transaction.markDirty(connection)
      faults?.sentOutbox(of: guest)
    }
    if guest.mailbox.owesAnswers { startDeadline(guest) }
  }

  /// Records that the guest has acknowledged all deliveries up to `through`. They end later, in
  /// ``endConfirmed(by:whileThereIsTime:)``.
  func acknowledge(_ through: UInt64, by guest: Guest) throws(Violation) {
    guard through <= guest.mailbox.deliveries else {
      throw Violation(
        text:
          "an acknowledgement of delivery \(through), but only \(guest.mailbox.deliveries) deliveries were sent"
      )
    }
    guest.mailbox.confirmed = max(guest.mailbox.confirmed, through)
  }

  /// The number of deliveries that end before the time is checked again.
  static let sliceLength = 64

  /// Ends acknowledged deliveries until none is left or `hasTime` returns false.
  ///
  /// - Returns: Whether all acknowledged deliveries have ended.
  @discardableResult
  func endConfirmed(by guest: Guest, whileThereIsTime hasTime: () -> Bool = { true }) -> Bool {
    let mailbox = guest.mailbox
    guard mailbox.hasConfirmed else { return true }
    madeProgress(guest)
    var left = Self.sliceLength
    while mailbox.hasConfirmed {
      if left == 0 {
        guard hasTime() else { return false }
        left = Self.sliceLength
      }
      left -= 1
      let first = mailbox.takeFirst()
      faults?.reached(.halfAcknowledged, first.pending, guest)
      arrived(first)
    }
    flow.releaseUnlessOverloaded(guest)
    return true
  }

  private func arrived(_ delivery: InFlight) {
    let decision = delivery.decision
    if delivery.pending.isPosted {
      audit.ended(delivery.pending.number, decision.delivered)
    } else {
      replies.finish(delivery.pending, decision.delivered, decision.deliveredAnswer)
    }
  }

  // MARK: Deadlines

  private func startDeadline(_ guest: Guest) {
    guest.mailbox.lastProgress = loop.now
    waitForDeadline(guest, limits.delivery, of: limits.delivery)
  }

  /// Starts the timer that checks the deadline. The timer fires at the deadline or, if deadlines can be extended,
  /// shortly before it, to examine whether the guest's process makes progress.
  private func waitForDeadline(_ guest: Guest, _ rest: UInt64, of limit: UInt64) {
    let lead = supervisor.extendsDeadlines ? DeadlineExtension.length(for: limit) : 0
    guest.mailbox.deadlineTimer?.start(after: rest > lead ? rest - lead : rest)
  }

  /// Records that `guest` has acknowledged a delivery, answered a call, or reported progress on a call.
  func madeProgress(_ guest: Guest) {
    guest.mailbox.lastProgress = loop.now
  }

  /// Terminates a guest that has not acknowledged or answered within the timeout. If the guest is suspended, its
  /// deliveries fail instead. The timeout is longer if the guest makes requests, the machine is too busy to run the
  /// guest, or the host is late in reading the guest's messages.
  func checkDeadline(_ guest: Guest) {
    guard guest.mailbox.pauses == 0 else { return startDeadline(guest) }
    // Acknowledgements that arrived in time count, even if the host could not read them earlier.
    if loop.now - guest.mailbox.lastProgress >= limits.delivery {
      guest.connection?.readRest()
    }
    let limit = limits.delivery * (guest.isKeptWaiting ? 3 : 1)
    guard guest.mailbox.owesAnswers else { return }
    let elapsed = loop.now - guest.mailbox.lastProgress
    guest.mailbox.deadlineExtension.begin(at: guest.mailbox.lastProgress)
    guard elapsed >= limit else {
      if limit - elapsed <= DeadlineExtension.length(for: limit) {
        guest.mailbox.deadlineExtension.observe(reading(of: guest))
      }
      return waitForDeadline(guest, limit - elapsed, of: limit)
    }
    switch guest.state {
    case .suspended: giveUp(on: guest, "`\(guest.name)` is suspended")
    case .ready:
      if let more = guest.mailbox.deadlineExtension.extend(limit, reading(of: guest)) {
        guest.mailbox.deadlineTimer?.start(after: more)
      } else {
        supervisor.end(guest, .unresponsive(doing: guest.mailbox.debt))
      }
    case .spawning, .stopping, .exited, nil: break
    }
  }

  /// Returns a measurement of the guest's progress. Requests count as progress, because a guest may make requests while
  /// it handles several deliveries, and acknowledges them only after the last one.
  private func reading(of guest: Guest) -> DeadlineExtension.Reading? {
    var reading = supervisor.reading(of: guest)
    reading?.requests = guest.mailbox.lastRequest
    return reading
  }

  /// Fails all deliveries and calls that a guest had not acknowledged or answered when it exited.
  func failOpenCalls(of guest: Guest, reason cause: ExitCause) {
    let why = "`\(guest.name)` \(cause.text)"
    let calls = guest.mailbox.calls
    loseDeliveries(to: guest, why)
    guest.mailbox.forgetQueued()
    fail(calls, of: guest, why)
  }

  /// Fails the deliveries to a guest that cannot answer at present. Fails calls to the guest only if they are unsent or
  /// have a deadline.
  func giveUp(on guest: Guest, _ why: String) {
    let unsent = guest.mailbox.unsentCalls
    let calls = guest.mailbox.calls.filter { $0.value.hasDeadline || unsent.contains($0.key) }
    loseDeliveries(to: guest, why)
    fail(calls, of: guest, why)
  }

  /// Removes and fails calls. As a result, requests that wait for these calls may continue and restart the guest.
  private func fail(_ calls: [UInt64: PendingCall], of guest: Guest, _ why: String) {
    for number in calls.keys { guest.mailbox.calls[number] = nil }
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) { call.fail(why) }
  }

  private func loseDeliveries(to guest: Guest, _ why: String) {
    endConfirmed(by: guest)
    let lost = guest.mailbox.takeAll()
    guest.mailbox.outbox.removeAll()
    guest.mailbox.unsentCalls.removeAll()
    for delivery in lost {
      replies.finish(
        delivery.pending, .undeliverable, delivery.decision.answer(.undeliverable), detail: why)
    }
    flow.release(guest)
  }
}

// MARK: - Mailboxes

/// A guest's outstanding deliveries, calls and requests, and the senders that wait for the guest.
final class Mailbox {
  private let limits: DeviceConfiguration.Limits

  var lastRequest: UInt64 = 0
  /// The device's last decision on an item from this guest, for reuse if a later item is similar; nil if no decision
  /// can be reused.
  var lastDecision: LastDecision?
  /// Frames that are queued until an earlier request from the guest has been answered.
  var queued: Deque<[UInt8]> = []
  var queuedBytes = 0
  var unansweredRequests = 0

  /// The number of deliveries to the guest's current process so far, including queued ones. It is also the number of
  /// the last delivery.
  var deliveries: UInt64 = 0
  /// The number of the last delivery that the guest acknowledged.
  var confirmed: UInt64 = 0
  /// The number of the last delivery that was taken from ``inFlight``. The next one in ``inFlight`` follows it.
  private var taken: UInt64 = 0
  /// The deliveries that are not acknowledged, or whose acknowledgement is not processed yet.
  var inFlight: Deque<InFlight> = []
  /// The space that the deliveries in ``inFlight`` occupy in the guest's inbox, in bytes.
  var inboxBytes = 0
  /// Messages queued until the process is ready.
  var outbox = FrameBuffer(capacity: 0)
  /// Calls that the guest has not answered, by number.
  var calls: [UInt64: PendingCall] = [:]
  /// The numbers of the calls that are queued in the outbox.
  var unsentCalls: Set<UInt64> = []
  var deadlineTimer: Timer?
  /// The time of the guest's last acknowledgement or answer, in milliseconds of the loop's clock. The start of a
  /// deadline also counts.
  var lastProgress: UInt64 = 0
  /// The deadline's extension in the period that starts at ``lastProgress``.
  var deadlineExtension = DeadlineExtension()

  /// The number of faults that currently pause the guest.
  var pauses = 0

  /// Senders that are paused until this guest catches up, in the order in which they were paused.
  private var waiting: [Guest] = []
  private var waitingSenders: Set<ObjectIdentifier> = []
  /// The receiver for which this guest is paused; nil if there is none. The reference is unowned, because a weak one
  /// would slow down all other references to the receiver. The receiver clears it in ``FlowControl/release(_:)``.
  unowned var waitsFor: Guest?

  init(_ limits: DeviceConfiguration.Limits) { self.limits = limits }

  /// Whether the first delivery in ``inFlight`` is acknowledged.
  var hasConfirmed: Bool { taken < confirmed && !inFlight.isEmpty }

  /// Removes and returns the first delivery. There must be one.
  func takeFirst() -> InFlight {
    taken += 1
    let first = inFlight.removeFirst()
    inboxBytes -= first.inboxBytes
    return first
  }

  /// Removes and returns all deliveries.
  func takeAll() -> Deque<InFlight> {
    defer { (inFlight, inboxBytes, confirmed, taken) = ([], 0, 0, deliveries) }
    return inFlight
  }

  var owesAnswers: Bool { !inFlight.isEmpty || calls.values.contains { $0.hasDeadline } }

  /// The activity that the host waits for, as a phrase for messages about the deadline.
  var debt: String {
    let isChangingScene = calls.values.contains { if case .scene = $0 { true } else { false } }
    return isChangingScene && inFlight.isEmpty
      ? "entering the background or the foreground" : "taking deliveries"
  }

  func isOverloaded(_ connection: GuestConnection?) -> Bool {
    inFlight.count > limits.inFlight || outbox.count > limits.backlog
      || inboxBytes > limits.sharedMemory / 2
      || connection.map { $0.backlog > limits.backlog } ?? false
  }

  var hasWaitingSenders: Bool { !waiting.isEmpty }

  func isAwaited(by sender: Guest) -> Bool { waitingSenders.contains(ObjectIdentifier(sender)) }

  func addWaiting(_ sender: Guest) {
    if waitingSenders.insert(ObjectIdentifier(sender)).inserted { waiting.append(sender) }
  }

  func takeWaiting() -> [Guest] {
    defer { (waiting, waitingSenders) = ([], []) }
    return waiting
  }

  func forgetQueued() {
    queued.removeAll()
    queuedBytes = 0
  }

  /// Resets the state of an exited process. The deliveries in ``inFlight`` remain until ``takeAll()``.
  func release() {
    deadlineTimer?.close()
    deadlineTimer = nil
    lastDecision = nil
    waitsFor = nil
    unansweredRequests = 0
    deliveries = 0
  }
}

extension Guest {
  /// Whether the guest's queues exceed their limits. Senders to it are then paused.
  var isOverloaded: Bool { mailbox.isOverloaded(connection) }
}

// MARK: - Flow control

/// Implements backpressure: an overloaded guest slows down only the guests that send to it.
final class FlowControl {
  private let transaction: LoopTransaction

  init(transaction: LoopTransaction) { self.transaction = transaction }

  /// Stops reading from `guest`.
  func pause(_ guest: Guest) {
    guard let connection = guest.connection, !connection.isPaused else { return }
    connection.pauses.insert(.backlog)
    connection.port.stopReading()
    guest.process.watch()
  }

  /// Pauses `sender` if `receiver` is overloaded, until the receiver catches up.
  func pause(_ sender: Guest, for receiver: Guest) {
    guard receiver.isOverloaded, sender.connection != nil else { return }
    pause(sender)
    sender.mailbox.waitsFor = receiver
    receiver.mailbox.addWaiting(sender)
  }

  func releaseUnlessOverloaded(_ guest: Guest) {
    if guest.mailbox.hasWaitingSenders, !guest.isOverloaded { release(guest) }
  }

  /// Resumes the guests that wait for `guest`.
  func release(_ guest: Guest) {
    for sender in guest.mailbox.takeWaiting() {
      if sender.mailbox.waitsFor === guest { sender.mailbox.waitsFor = nil }
      transaction.scheduleResume(sender)
    }
  }

  // MARK: Deletion

  /// Stops reading from guests whose data is about to be deleted. Further requests of these guests are therefore always
  /// served after the deletion.
  func beginDeletion(in guests: [Guest]) {
    for guest in guests {
      guard let connection = guest.connection else { continue }
      connection.pauses.insert(.deletion)
      connection.port.stopReading()
      guest.process.watch()
    }
  }

  func endDeletion(in guests: [Guest]) {
    for guest in guests {
      guard let connection = guest.connection, connection.pauses.remove(.deletion) != nil else {
        continue
      }
      connection.pauses.insert(.backlog)
      transaction.scheduleResume(guest)
    }
  }
}

// MARK: - Deliveries

/// A delivery for an unfinished request.
struct InFlight {
  var pending: PendingRequest
  /// The decision, which determines the outcome when the receiver acknowledges.
  var decision: TransferDecision
  /// The size of the delivery in the receiver's inbox, in bytes; 0 if it was sent inline.
  var inboxBytes = 0
}

// MARK: - Calls

enum PendingCall {
  case item((Item?) -> Void)
  case representation(Provision)
  case identitySwitch((Bool) -> Void)
  case delegate((Bool) -> Void)
  /// A call to wipe an account. The answer is nil if the guest exits before it answers, or if the call is never sent.
  case wipe((Bool?) -> Void)
  case perform((InstructionResult) -> Void)
  /// A call to perform a user's action, such as a tap, in the app's interface.
  case act((InstructionResult) -> Void)
  /// A call to perform a user's action in an extension's interface, once the extension shows it.
  case prepared((InstructionResult) -> Void)
  /// A call that moves the app off the screen or back.
  case scene((InstructionResult) -> Void)
  /// A call whose answer is ignored, because no answer is needed or the device has answered in the guest's place.
  case abandoned

  var isAwaited: Bool { if case .abandoned = self { false } else { true } }

  /// Whether the guest must answer within the delivery timeout. False for calls that may take longer, for example
  /// because they wait for a user's action.
  var hasDeadline: Bool {
    switch self {
    case .item, .representation, .identitySwitch, .delegate, .scene: true
    // A wipe may take longer and has its own timeout.
    case .perform, .act, .prepared, .wipe, .abandoned: false
    }
  }

  func abandon() {
    if case .representation(let provision) = self { provision.abandon() }
  }

  /// Returns an action that passes the guest's answer to the code that made the call. Returns nil if the call expects
  /// another kind of answer.
  func completion(with answer: CallAnswer) -> (() -> Void)? {
    switch (self, answer) {
    case (.item(let body), .item(let item)): { body(item) }
    case (.representation(let provision), .item(let item)): { provision.answer(item) }
    case (.identitySwitch(let body), .identitySwitch(let isSuccess)),
      (.delegate(let body), .delegate(let isSuccess)):
      { body(isSuccess) }
    case (.wipe(let body), .delegate(let isSuccess)): { body(isSuccess) }
    case (.perform(let body), .performed(let result)), (.act(let body), .performed(let result)),
      (.prepared(let body), .performed(let result)), (.scene(let body), .performed(let result)):
      { body(result) }
    case (.abandoned, .performed): {}
    case (.item, _), (.representation, _), (.identitySwitch, _), (.delegate, _), (.wipe, _),
      (.perform, _), (.act, _), (.prepared, _), (.scene, _), (.abandoned, _):
      nil
    }
  }

  /// Answers the call with a failure in the guest's place, because the guest exited or the call is never sent.
  ///
  /// - Parameter why: The reason for the failure.
  func fail(_ why: String) {
    switch self {
    case .item(let answer): answer(nil)
    case .representation(let provision): provision.answer(nil)
    case .identitySwitch(let answer), .delegate(let answer): answer(false)
    case .wipe(let answer): answer(nil)
    case .abandoned: break
    case .prepared(let answer):
      answer(InstructionResult(failure: "\(why), and has shown no alert"))
    case .perform(let answer), .act(let answer), .scene(let answer):
      answer(InstructionResult(failure: why))
    }
  }
}

enum CallAnswer {
  case item(Item?)
  case identitySwitch(Bool)
  /// The answer to a delegate call, including a call to wipe an account.
  case delegate(Bool)
  case performed(InstructionResult)

  /// A description of this answer as a protocol violation, for a guest that sends it without a matching call from the
  /// device.
  var asViolation: String {
    switch self {
    case .item: "an item that was not requested"
    case .identitySwitch: "an answer to a switch that was not requested"
    case .delegate: "an answer to a delegate call that was not made"
    case .performed: "a report of an action that was not requested"
    }
  }
}

/// The callbacks for an item representation that an app has promised to provide.
final class Provision {
  private(set) var progress: (Double) -> Void
  private(set) var answer: (Item?) -> Void

  init(progress: @escaping (Double) -> Void, answer: @escaping (Item?) -> Void) {
    self.progress = progress
    self.answer = answer
  }

  /// Makes this object ignore later progress reports and the answer.
  func abandon() {
    progress = { _ in }
    answer = { _ in }
  }
}

/// The result of an instruction to a guest, such as a user action.
package struct InstructionResult: Sendable {
  /// The reason why the guest could not carry out the instruction; nil if it did.
  package var failure: String?
  /// The bytes that the guest read, if the instruction was to read; otherwise empty.
  package var found: [UInt8] = []
}
