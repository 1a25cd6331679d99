internal import DequeModule
internal import EventLoop

/// Divides the time of the device's single thread between guests. A guest that has used its slice rests until
/// the others have had theirs.
///
/// In each iteration of the loop, one resting guest resumes. So a guest that sends little waits at most one
/// slice, however many guests flood the device.
final class TimeSlices {
  /// The clock of slices, in nanoseconds.
  var clock: () -> UInt64
  private let loop: EventLoop
  private var resting: Deque<() -> Void> = []
  private var nextRound: NextRound?
  /// The guest that is being served, the iteration, and the start time of its slice.
  private var current: (connection: ObjectIdentifier, round: UInt64, start: UInt64)?
  /// Whether the device is shutting down: guests no longer rest, and the remaining work is done at once.
  var isClosing = false

  /// The length of a slice, in nanoseconds.
  static let length: UInt64 = 1_000_000

  /// - Throws: ``EventLoopError`` if the system refuses a handle.
  init(on loop: EventLoop) throws(EventLoopError) {
    self.loop = loop
    clock = { [unowned loop] in loop.nanoseconds }
    nextRound = try NextRound(on: loop) { [unowned self] in runNext() }
  }

  /// Returns whether the guest's slice is over. Called after each of its messages.
  func isOver(_ connection: GuestConnection) -> Bool {
    let (served, now) = (ObjectIdentifier(connection), clock())
    if let current, current.connection == served, current.round == loop.now {
      return now - current.start >= Self.length
    }
    current = (served, loop.now, now)
    return false
  }

  /// Calls `body` after the others have had their slices.
  func rest(then body: @escaping () -> Void) {
    resting.append(body)
    nextRound?.schedule()
  }

  /// Runs the device's own work in slices between those of guests. `step` does a bounded part of the work and
  /// returns whether more is left.
  func inSlices(_ step: @escaping () -> Bool) {
    guard !isClosing else {
      while step() {}
      return
    }
    rest { [unowned self] in if step() { inSlices(step) } }
  }

  private func runNext() {
    current = nil
    resting.popFirst()?()
    if !resting.isEmpty { nextRound?.schedule() }
  }
}
