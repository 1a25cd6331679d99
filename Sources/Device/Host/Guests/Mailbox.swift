internal import DequeModule
internal import EventLoop
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
