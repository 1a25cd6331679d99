internal import DequeModule
internal import EventLoop
internal import Model
internal import Wire

/// A guest's outstanding messages: deliveries and calls to it, its requests, and the guests that wait for it.
final class Mailbox {
  private let limits: DeviceConfiguration.Limits

  var lastRequest: UInt64 = 0
  /// The cached decision on the guest's last item; nil if it cannot be reused for other items.
  var lastDecision: LastDecision?
  /// Frames that are queued until an earlier request from the guest has been answered.
  var queued: Deque<[UInt8]> = []
  var queuedBytes = 0
  /// The number of requests with a pending answer.
  var unansweredRequests = 0

  /// The number of deliveries sent to the guest.
  var deliveries: UInt64 = 0
  /// The number of the last delivery that the guest acknowledged.
  var confirmed: UInt64 = 0
  /// Deliveries that have not ended: unacknowledged ones, and acknowledged ones still to be
  /// processed.
  var inFlight: Deque<InFlight> = []
  /// The space that the deliveries in ``inFlight`` occupy in the guest's inbox, in bytes.
  var inboxBytes = 0
  /// Messages queued until the process is ready.
  var outbox = FrameBuffer(capacity: 0)
  /// Calls that the guest has not answered, by number.
  var calls: [UInt64: PendingCall] = [:]
  /// The numbers of the calls that are queued in the outbox.
  var unsentCalls: Set<UInt64> = []
  /// The timer for outstanding acknowledgements and answers.
  var deadlineTimer: Timer?
  /// The time of the guest's last acknowledgement or answer, in milliseconds of the loop's clock.
  var lastProgress: UInt64 = 0
  /// The extension of the deadline that follows ``lastProgress``.
  var deadlineExtension = DeadlineExtension()

  /// The number of faults that currently pause the guest.
  var pauses = 0

  /// Senders that are paused until this guest catches up, in the order in which they were paused.
  private var waiting: [Guest] = []
  private var waitingSenders: Set<ObjectIdentifier> = []
  /// The receiver for which this guest is paused; nil if there is none.
  weak var waitsFor: Guest?

  init(_ limits: DeviceConfiguration.Limits) { self.limits = limits }

  /// Whether the guest owes acknowledgements or answers.
  var owesAnswers: Bool { !inFlight.isEmpty || calls.values.contains { $0.hasDeadline } }

  /// The response that the guest owes, as a phrase.
  var debt: String {
    let isChangingScene = calls.values.contains { if case .scene = $0 { true } else { false } }
    return isChangingScene && inFlight.isEmpty
      ? "leaving the screen or coming back to it" : "taking deliveries"
  }

  func isOverloaded(_ connection: GuestConnection?) -> Bool {
    inFlight.count > limits.inFlight || outbox.count > limits.backlog
      || inboxBytes > limits.sharedMemory / 2
      || (connection?.backlog ?? 0) > limits.backlog
  }

  /// Whether senders are paused until this guest catches up.
  var hasWaitingSenders: Bool { !waiting.isEmpty }

  func isAwaited(by sender: Guest) -> Bool { waitingSenders.contains(ObjectIdentifier(sender)) }

  /// Adds a paused sender, unless it is already waiting.
  func addWaiting(_ sender: Guest) {
    if waitingSenders.insert(ObjectIdentifier(sender)).inserted { waiting.append(sender) }
  }

  /// Removes and returns the paused senders, in the order in which they were paused.
  func takeWaiting() -> [Guest] {
    defer { (waiting, waitingSenders) = ([], []) }
    return waiting
  }

  func forgetQueued() {
    queued.removeAll()
    queuedBytes = 0
  }

  /// Resets the state of an exited process.
  func release() {
    deadlineTimer?.close()
    deadlineTimer = nil
    lastDecision = nil
    waitsFor = nil
    unansweredRequests = 0
    deliveries = 0
  }
}

// MARK: - Deliveries

/// A delivery for a request that has not ended.
struct InFlight {
  /// The delivery's number on the receiver's connection.
  var sequence: UInt64
  var pending: PendingRequest
  /// The cached decision, which determines the outcome when the receiver acknowledges.
  var cached: CachedDecision
  /// The size of the delivery in the receiver's inbox, in bytes; 0 if it was sent inline.
  var inboxBytes = 0
}

// MARK: - Calls

/// A call to a guest's process that has not been answered.
enum PendingCall {
  case item((Item?) -> Void)
  case representation(Provision)
  case identitySwitch((Bool) -> Void)
  case delegate((Bool) -> Void)
  /// A call to wipe an account. The answer is nil if the guest exits before answering.
  case wipe((Bool?) -> Void)
  case perform((InstructionResult) -> Void)
  /// A call to perform a user act on the app's interface.
  case act((InstructionResult) -> Void)
  /// A call to perform a user act once an extension shows its interface.
  case prepared((InstructionResult) -> Void)
  /// A call that moves the app off the screen or back.
  case scene((InstructionResult) -> Void)
  /// A call with an ignored answer, because none is needed or it was answered on the guest's
  /// behalf.
  case abandoned

  var isAwaited: Bool { if case .abandoned = self { false } else { true } }

  /// Whether the guest must answer within the delivery timeout, because no user's action is needed.
  var hasDeadline: Bool {
    switch self {
    case .item, .representation, .identitySwitch, .delegate, .scene: true
    // A wipe may take longer and has its own timeout.
    case .perform, .act, .prepared, .wipe, .abandoned: false
    }
  }

  /// Discards later progress and the answer.
  func abandon() {
    if case .representation(let provision) = self { provision.abandon() }
  }

  /// Answers on behalf of a guest that exited or was never called.
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
      answer(InstructionResult(failure: "\(why), and has shown no alert for it"))
    case .perform(let answer), .act(let answer), .scene(let answer):
      answer(InstructionResult(failure: why))
    }
  }
}

/// The receiver of a representation that an app promised.
final class Provision {
  private(set) var progress: (Double) -> Void
  private(set) var answer: (Item?) -> Void

  init(progress: @escaping (Double) -> Void, answer: @escaping (Item?) -> Void) {
    self.progress = progress
    self.answer = answer
  }

  /// Discards later progress and the answer.
  func abandon() {
    progress = { _ in }
    answer = { _ in }
  }
}
