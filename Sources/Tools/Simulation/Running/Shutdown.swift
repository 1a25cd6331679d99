internal import EventLoop
internal import JSON

/// A run that goes on until it is told to end, such as a case on its device.
protocol Interruptible: AnyObject {
  var runningGuests: [String] { get }
  /// Ends all waiting at once.
  func interrupt()
  /// Ends every guest at once.
  func killAll()
}

/// The end of a running device: the clients that have asked for it, and the guests that ran when it began.
final class Shutdown {
  private let run: any Interruptible
  private(set) var hasBegun = false
  /// Cancels searches on behalf of clients.
  let cancellation = Cancellation()
  /// The guests that ran when the shutdown began.
  private(set) var guests: [String] = []
  /// The requests that are answered when the device is down.
  private var requests: [ControlJob] = []

  init(_ run: any Interruptible) { self.run = run }

  /// Begins the shutdown: a step that runs ends at once. A second call kills the guests, without waiting for them to
  /// stop.
  func begin() {
    if hasBegun { run.killAll() } else { guests = run.runningGuests }
    hasBegun = true
    run.interrupt()
    cancellation.cancel()
  }

  /// Begins the shutdown for a client, which gets an answer when the device is down; a second request hurries nothing.
  func begin(for job: ControlJob) {
    requests.append(job)
    if !hasBegun { begin() }
  }

  /// Checks that the shutdown has not begun.
  ///
  /// - Throws: ``ControlError`` once it has.
  func checkNotBegun() throws(ControlError) {
    guard !hasBegun else { throw Self.error }
  }

  /// The error of requests that the device does not carry out any more.
  static let error = ControlError(.ending, "the device goes down")

  /// Answers the clients that have asked for the shutdown.
  func answer(_ report: DownReport) {
    for job in requests { job.answer { ControlAnswer.result($0, report.writeMembers) } }
  }
}
