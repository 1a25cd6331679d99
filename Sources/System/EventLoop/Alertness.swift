internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// The moment for which a loop goes on asking for events before it sleeps.
///
/// A processor that has gone to sleep takes longer to wake than most guests take to answer. So a loop asks on for a moment, and
/// yields to whoever waits for the processor, as long as that pays: the more often nothing came, the more waits it sleeps
/// through.
final class Alertness {
  /// Number of waits that are still to be slept through.
  private var pause = 0
  /// Number of waits that the next vain attempt costs.
  private var penalty = 1
  /// The longest time of asking, in nanoseconds.
  private static let length: UInt64 = 20_000
  private static let largestPenalty = 256

  /// Asks for events until there are some.
  ///
  /// - Parameter poll: handles the events that have come, and tells whether there were any.
  /// - Returns: whether there were events; otherwise the loop may sleep.
  func await(_ poll: () -> Bool) -> Bool {
    guard pause == 0 else {
      pause -= 1
      return false
    }
    let end = uv_hrtime() + Self.length
    repeat {
      if poll() {
        penalty = 1
        return true
      }
      sched_yield()
    } while uv_hrtime() < end
    pause = penalty
    penalty = min(penalty * 2, Self.largestPenalty)
    return false
  }
}
