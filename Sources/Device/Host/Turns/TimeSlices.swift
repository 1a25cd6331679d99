internal import DequeModule
internal import EventLoop

/// The shares of guests in the time of the device's one thread. A guest that has sent more than one slice's work rests
/// until the others have had their turn.
///
/// In each round of the loop one of those that rest goes on. Whoever sends little is therefore served a slice later at
/// most, however many flood the device.
final class TimeSlices {
  /// The clock of slices, in nanoseconds.
  var clock: () -> UInt64
  private let loop: EventLoop
  private var resting: Deque<() -> Void> = []
  private var nextRound: NextRound?
  /// The guest that is being served, and since when.
  private var current: (connection: ObjectIdentifier, round: UInt64, start: UInt64)?
  /// Whether the device goes down: no guest waits any more, and the remaining work is done at once.
  var isClosing = false

  /// The length of a slice, in nanoseconds.
  static let length: UInt64 = 1_000_000

  /// - Throws: ``EventLoopError`` where the system refuses a handle.
  init(on loop: EventLoop) throws(EventLoopError) {
    self.loop = loop
    clock = { [unowned loop] in loop.nanoseconds }
    nextRound = try NextRound(on: loop) { [unowned self] in goOn() }
  }

  /// Whether the slice of a guest is over, one of whose messages has been served.
  func isOver(_ connection: GuestConnection) -> Bool {
    let (served, now) = (ObjectIdentifier(connection), clock())
    if let current, current.connection == served, current.round == loop.now {
      return now - current.start >= Self.length
    }
    current = (served, loop.now, now)
    return false
  }

  /// Calls `body` when the others have had their turn.
  func rest(then body: @escaping () -> Void) {
    resting.append(body)
    nextRound?.schedule()
  }

  /// Does the device's own work in slices, between those of guests: `step` does a bounded part of it, and tells whether
  /// there is more.
  func inSlices(_ step: @escaping () -> Bool) {
    guard !isClosing else {
      while step() {}
      return
    }
    rest { [unowned self] in if step() { inSlices(step) } }
  }

  private func goOn() {
    current = nil
    resting.popFirst()?()
    if !resting.isEmpty { nextRound?.schedule() }
  }
}
