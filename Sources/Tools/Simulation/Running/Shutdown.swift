internal import EventLoop
internal import JSON

/// What runs until it is told to end: a case on its device, or the memory of a test.
protocol Interruptible: AnyObject {
  var runningGuests: [String] { get }
  /// Whatever is waited for ends at once.
  func interrupt()
  /// Ends every guest at once.
  func killAll()
}

/// The going down of a running device: who has asked for it, and what there was when it began.
final class Shutdown {
  private let run: any Interruptible
  private(set) var hasBegun = false
  /// Ends what is looked up for clients.
  let cancellation = Cancellation()
  /// Guests that ran when it began.
  private(set) var guests: [String] = []
  /// Who is told when the device is down.
  private var askers: [ControlJob] = []

  init(_ run: any Interruptible) { self.run = run }

  /// Goes down as soon as it can: a step that runs ends at once. Whoever says it again does not wait for guests to stop
  /// when they are asked.
  func begin() {
    if hasBegun { run.killAll() } else { guests = run.runningGuests }
    hasBegun = true
    run.interrupt()
    cancellation.cancel()
  }

  /// The same for a client, who is told when the device is down; asking again hurries nobody.
  func begin(for job: ControlJob) {
    askers.append(job)
    if !hasBegun { begin() }
  }

  /// - Throws: ``ControlError`` once it has begun.
  func checkNotBegun() throws(ControlError) {
    guard !hasBegun else { throw Self.error }
  }

  /// What those hear whose requests the device does not come to.
  static let error = ControlError(.ending, "the device goes down")

  /// The device is down.
  func tell(_ report: DownReport) {
    for job in askers { job.answer { ControlAnswer.result($0, report.writeMembers) } }
  }
}
