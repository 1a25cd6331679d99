internal import Glibc
internal import Model

/// The time of the machine, which differs from run to run.
enum RealTime {
  /// The time now, UTC, with milliseconds: `2026-01-01T00:00:00.000Z`.
  static var text: String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let milliseconds = String(1_000 + time.tv_nsec / 1_000_000).dropFirst()
    return "\(Timestamp.text(time.tv_sec).dropLast()).\(milliseconds)Z"
  }
}
