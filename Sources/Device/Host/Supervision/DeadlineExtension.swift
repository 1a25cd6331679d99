internal import Glibc

/// Extends a deadline by which a guest must act, if the guest could not act because the machine was busy.
///
/// A guest gets more time if, since the last reading, its process has waited for a processor for at least
/// half of the time, it has made requests, or the device itself was late. A guest that only sleeps or computes
/// gets none. The extensions of one deadline are bounded.
struct DeadlineExtension {
  /// A guest's state at some time.
  struct Reading {
    /// In milliseconds of the loop's clock.
    var time: UInt64
    /// The time for which the process has waited for a processor, in milliseconds.
    var waited: UInt64
    /// The number of the guest's last request, which shows progress; 0 if requests show none.
    var requests: UInt64 = 0
  }

  /// The start of the period that the deadline limits.
  private var start: UInt64 = 0
  private var last: Reading?
  /// The sum of the extensions, in milliseconds.
  private var granted: UInt64 = 0

  /// The sum of the extensions of a deadline is at most this multiple of its limit.
  private static let most: UInt64 = 5

  /// Returns the length of one extension, which is also the time between a reading and the deadline, in
  /// milliseconds.
  static func length(for limit: UInt64) -> UInt64 { max(1, limit / 10) }

  /// Begins a new period, unless it is the current one.
  mutating func begin(at start: UInt64) {
    guard start != self.start else { return }
    self = DeadlineExtension()
    self.start = start
  }

  /// Takes a reading before the deadline, with which the reading at the deadline is compared.
  mutating func observe(_ reading: Reading?) { last = reading }

  /// Returns the further time to wait at the deadline, in milliseconds; nil if the deadline has expired.
  ///
  /// If there was no reading before, the first extension only serves to compare readings.
  ///
  /// - Parameters:
  ///   - limit: The time that the guest had, without extensions.
  ///   - reading: nil if deadlines are not extended.
  mutating func extend(_ limit: UInt64, _ reading: Reading?) -> UInt64? {
    guard let reading, granted < Self.most * limit else { return nil }
    let length = Self.length(for: limit)
    if let last {
      let elapsed = reading.time - min(last.time, reading.time)
      let waited = reading.waited - min(last.waited, reading.waited)
      guard 2 * waited >= elapsed || elapsed >= 2 * length || reading.requests > last.requests
      else { return nil }
    }
    last = reading
    granted += length
    return length
  }
}

/// Returns the time for which a process's main thread has waited for a processor, in milliseconds; nil if
/// the kernel does not count it, or the process no longer exists (proc_pid_schedstat(5)).
func processorWait(of process: Int32) -> UInt64? {
  let descriptor = open("/proc/\(process)/schedstat", O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 128)
  let count = read(descriptor, &bytes, bytes.count)
  guard count > 0 else { return nil }
  let fields = bytes[..<count].split { $0 <= UInt8(ascii: " ") }
  guard fields.count > 2 else { return nil }
  return UInt64(String(decoding: fields[1], as: UTF8.self)).map { $0 / 1_000_000 }
}
