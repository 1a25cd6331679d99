internal import DequeModule
internal import EventLoop
internal import Wire

/// What a guest was sent and owes something for, what it has asked, and who waits for it.
final class Mailbox {
  private let limits: DeviceConfiguration.Limits

  /// Number of the guest's last request.
  var lastRequest: UInt64 = 0
  /// The way that the last item took; nil where none has taken one that others may take.
  var route: Route?
  /// Frames that wait until the device has answers for this guest's earlier request.
  var queued: Deque<[UInt8]> = []
  var queuedBytes = 0
  /// Requests that wait for somebody else's answer.
  var unansweredRequests = 0

  /// How much it was sent.
  var deliveries: UInt64 = 0
  /// What it has not confirmed.
  var inFlight: Deque<InFlight> = []
  /// Deliveries that wait for the process to be ready.
  var outbox = FrameBuffer(capacity: 0)
  /// Questions that it has not answered.
  var calls: [UInt64: PendingCall] = [:]
  /// For confirmations and answers that the guest owes.
  var deadlineTimer: Timer?
  /// When it last confirmed or answered something.
  var lastProgress: UInt64 = 0

  /// Guests that wait for this one to take what it was sent.
  var waiting: [Guest] = []
  /// The guest that this one waits for in that way.
  weak var waitsFor: Guest?

  init(_ limits: DeviceConfiguration.Limits) { self.limits = limits }

  /// Whether the guest owes confirmations or answers.
  var owesAnswers: Bool { !inFlight.isEmpty || calls.values.contains { $0.hasDeadline } }

  func isOverloaded(_ connection: GuestConnection?) -> Bool {
    inFlight.count > limits.inFlight || outbox.count > limits.backlog
      || (connection?.backlog ?? 0) > limits.backlog
  }

  func forgetQueued() {
    queued.removeAll()
    queuedBytes = 0
  }

  /// The process is gone, and with it all that was between it and the device.
  func release() {
    deadlineTimer?.close()
    deadlineTimer = nil
    route = nil
    waitsFor = nil
    unansweredRequests = 0
    deliveries = 0
  }
}
