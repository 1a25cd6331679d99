internal import DequeModule
internal import EventLoop

/// Divides the time of the device's single thread between guests. If a guest has used up its slice, its further
/// messages are processed after those of the other waiting guests.
///
/// Each iteration of the loop resumes one waiting guest. A guest that does not use up its slices therefore waits for
/// one slice at most, even if many guests flood the device.
final class TimeSlices {
  /// A test's clock for slices, in nanoseconds; nil for the loop's clock.
  var clock: (() -> UInt64)?
  private let loop: EventLoop
  private var waiting: Deque<() -> Void> = []
  private var nextRound: NextRound?
  /// The guest whose messages are being processed, with the iteration of the loop and the start time of its slice.
  private var current: (connection: ObjectIdentifier, round: UInt64, start: UInt64)?
  /// Whether the device is shutting down. If true, guests do not wait for slices, and all remaining work is done
  /// immediately.
  var isClosing = false

  /// The length of a slice, in nanoseconds.
  static let length: UInt64 = 1_000_000

  /// Creates the time slices for the guests on `loop`.
  ///
  /// - Throws: ``EventLoopError`` if the system provides no handle.
  init(on loop: EventLoop) throws(EventLoopError) {
    self.loop = loop
    nextRound = try NextRound(on: loop) { [unowned self] in runNext() }
  }

  /// Returns whether the guest has used up its slice in this iteration of the loop. If the guest has no slice in this
  /// iteration, begins one and returns false.
  func isOver(_ connection: GuestConnection) -> Bool {
    let (served, now) = (ObjectIdentifier(connection), clock?() ?? loop.nanoseconds)
    if let current, current.connection == served, current.round == loop.now {
      return now - current.start >= Self.length
    }
    current = (served, loop.now, now)
    return false
  }

  /// Calls `body` in a later iteration, after the already waiting guests have run.
  func yield(then body: @escaping () -> Void) {
    waiting.append(body)
    nextRound?.schedule()
  }

  /// Runs work of the device itself in small steps, between the guests' slices. If the device is shutting down, runs
  /// all steps immediately.
  ///
  /// - Parameter step: Does a bounded part of the work, and returns whether more is left.
  func inSlices(_ step: @escaping () -> Bool) {
    guard !isClosing else {
      while step() {}
      return
    }
    yield { [unowned self] in if step() { inSlices(step) } }
  }

  private func runNext() {
    current = nil
    waiting.popFirst()?()
    if !waiting.isEmpty { nextRound?.schedule() }
  }
}
