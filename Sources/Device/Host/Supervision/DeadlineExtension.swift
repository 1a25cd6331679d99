/// Extends a guest's deadline if the guest could not act in time because the machine was busy.
///
/// A guest gets more time if one of these statements is true for the period since the last reading of its progress:
///
/// - Other programs have kept its main thread from a processor or the disk for at least half of the time.
/// - It has made requests.
/// - The device itself was late.
///
/// A guest that only sleeps, computes, or waits for its own child processes and threads gets no more time. The
/// extensions of one deadline are bounded.
struct DeadlineExtension {
  /// A measurement of a guest's progress.
  struct Reading {
    /// The time of the measurement, in milliseconds on the loop's clock.
    var time: UInt64
    /// The time for which the main thread has waited for a processor, in milliseconds.
    var waited: UInt64
    /// The processor time of the main thread, in milliseconds.
    var ran: UInt64 = 0
    /// Whether the main thread is ready to run, or waits for the disk, at the time of the measurement. Such a wait is
    /// not in ``waited``: the kernel adds a wait for a processor only when it ends, and never adds waits for the disk.
    var isHeldUp = false
    /// The processor time of the guest's other threads and processes, in milliseconds. It is subtracted from the main
    /// thread's waiting time, because they may occupy the processor that the main thread waits for.
    var own: UInt64 = 0
    /// The number of the guest's last request; 0 if requests do not count as progress.
    var requests: UInt64 = 0
  }

  /// The start of the period that ends at the deadline.
  private var start: UInt64 = 0
  private var last: Reading?
  /// The total time by which the deadline has been extended, in milliseconds.
  private(set) var granted: UInt64 = 0

  /// The maximum of ``granted``, as a multiple of the guest's time without extensions.
  private static let most: UInt64 = 5

  /// Returns the length of one extension of a deadline, in milliseconds. For deliveries, this is also the time between
  /// the first reading and the deadline.
  ///
  /// - Parameter limit: The time until the deadline without extensions, in milliseconds.
  static func length(for limit: UInt64) -> UInt64 { max(1, limit / 10) }

  /// Begins a new period, unless `start` is the start of the current period.
  mutating func begin(at start: UInt64) {
    guard start != self.start else { return }
    self = DeadlineExtension()
    self.start = start
  }

  /// Stores a reading from before the deadline, for comparison with the reading at the deadline; nil if there was none.
  mutating func observe(_ reading: Reading?) { last = reading }

  /// Returns the additional time that the guest gets now that its deadline is reached, in milliseconds; nil if it gets
  /// none.
  ///
  /// If there was no earlier reading, the guest gets one extension, and the next reading is compared with `reading`.
  ///
  /// - Parameters:
  ///   - limit: The guest's time without extensions, in milliseconds.
  ///   - reading: The reading at the deadline; nil if deadlines are not extended.
  mutating func extend(_ limit: UInt64, _ reading: Reading?) -> UInt64? {
    guard let reading, granted < Self.most * limit else { return nil }
    let length = Self.length(for: limit)
    if let last {
      let elapsed = reading.time - min(last.time, reading.time)
      let own = reading.own - min(last.own, reading.own)
      let ran = reading.ran - min(last.ran, reading.ran)
      let counted = reading.waited - min(last.waited, reading.waited)
      let waited = reading.isHeldUp ? max(counted, elapsed - min(ran, elapsed)) : counted
      guard
        2 * (waited - min(own, waited)) >= elapsed || elapsed - min(own, elapsed) >= 2 * length
          || reading.requests > last.requests
      else { return nil }
    }
    last = reading
    granted += length
    return length
  }
}
