internal import DequeModule
internal import EventLoop
internal import Model
internal import Wire

/// A guest's open business: what it was sent and owes something for, its requests, and the guests that wait for it.
final class Mailbox {
  private let limits: DeviceConfiguration.Limits

  /// Number of the guest's last request.
  var lastRequest: UInt64 = 0
  /// The route of the last item; nil where no item has taken one that others may take.
  var route: Route?
  /// Frames that wait until the device has an answer for an earlier request of the guest.
  var queued: Deque<[UInt8]> = []
  var queuedBytes = 0
  /// Number of requests that wait for an answer from elsewhere.
  var unansweredRequests = 0

  /// Number of deliveries that the guest was sent.
  var deliveries: UInt64 = 0
  /// The delivery up to which the guest has confirmed them.
  var confirmed: UInt64 = 0
  /// Deliveries that the guest has not confirmed, and confirmed ones that wait for the guest's next slice to be ended.
  var inFlight: Deque<InFlight> = []
  /// Bytes of those deliveries in the guest's inbox.
  var inboxBytes = 0
  /// Messages that wait for the process to be ready.
  var outbox = FrameBuffer(capacity: 0)
  /// Questions that the guest has not answered, by number.
  var calls: [UInt64: PendingCall] = [:]
  /// The numbers of those that are in the outbox.
  var unsentCalls: Set<UInt64> = []
  /// Timer for confirmations and answers that the guest owes.
  var deadlineTimer: Timer?
  /// Time of the guest's last confirmation or answer, by the loop's clock in milliseconds.
  var lastProgress: UInt64 = 0

  /// The number of faults that keep the guest from running until something else is over.
  var holds = 0

  /// Guests that wait for this one to take what it was sent.
  var waiting: [Guest] = []
  /// The guest that this one waits for to take what it was sent; nil: none.
  weak var waitsFor: Guest?

  init(_ limits: DeviceConfiguration.Limits) { self.limits = limits }

  /// Whether the guest owes confirmations or answers.
  var owesAnswers: Bool { !inFlight.isEmpty || calls.values.contains { $0.hasDeadline } }

  /// What the guest has to do to get rid of what it owes, in a phrase.
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

  func forgetQueued() {
    queued.removeAll()
    queuedBytes = 0
  }

  /// Forgets what was between the device and a process that is gone.
  func release() {
    deadlineTimer?.close()
    deadlineTimer = nil
    route = nil
    waitsFor = nil
    unansweredRequests = 0
    deliveries = 0
  }
}

// MARK: - Deliveries

/// A delivery that its receiver has not confirmed.
struct InFlight {
  /// Number of the delivery on the receiver's connection.
  var sequence: UInt64
  var pending: PendingRequest
  /// The ruling, by which the request ends once the receiver confirms.
  var ruling: Ruling
  /// Bytes of the delivery in the receiver's inbox; 0 where it came inline.
  var inboxBytes = 0
}

// MARK: - Questions

/// A question to a guest's process that the process has not answered.
enum PendingCall {
  case item((Item?) -> Void)
  case representation(Provision)
  case identitySwitch((Bool) -> Void)
  case delegate((Bool) -> Void)
  /// A call to wipe an account; the answer is nil where the guest ended before it had answered.
  case wipe((Bool?) -> Void)
  case perform((Performance) -> Void)
  /// What the user does with what the app shows.
  case act((Performance) -> Void)
  /// The same of an extension, which may show it later.
  case prepared((Performance) -> Void)
  /// The app leaves the screen, or comes back to it.
  case scene((Performance) -> Void)
  /// A call of which nobody awaits the answer, which may still come: it needs none, or was answered in the guest's place.
  case abandoned

  var isAwaited: Bool { if case .abandoned = self { false } else { true } }

  /// Whether the guest has to answer by itself, within a deadline.
  var hasDeadline: Bool {
    switch self {
    case .item, .representation, .identitySwitch, .delegate, .scene: true
    // Wiping may take its time, and has a deadline of its own.
    case .perform, .act, .prepared, .wipe, .abandoned: false
    }
  }

  /// Makes the answer count for nothing.
  func abandon() {
    if case .representation(let provision) = self { provision.abandon() }
  }

  /// Answers in place of a guest that is gone, or was never asked, for that reason.
  func fail(_ why: String) {
    switch self {
    case .item(let answer): answer(nil)
    case .representation(let provision): provision.answer(nil)
    case .identitySwitch(let answer), .delegate(let answer): answer(false)
    case .wipe(let answer): answer(nil)
    case .abandoned: break
    case .prepared(let answer):
      answer(Performance(failure: "\(why), and has shown no alert for it"))
    case .perform(let answer), .act(let answer), .scene(let answer):
      answer(Performance(failure: why))
    }
  }
}

/// The receiver of a representation that an app has promised.
final class Provision {
  private(set) var progress: (Double) -> Void
  private(set) var answer: (Item?) -> Void

  init(progress: @escaping (Double) -> Void, answer: @escaping (Item?) -> Void) {
    self.progress = progress
    self.answer = answer
  }

  /// Makes the progress and the answer count for nothing.
  func abandon() {
    progress = { _ in }
    answer = { _ in }
  }
}
