/// Time that passes only when it is advanced, and the timers that wait for it.
final class ManualTime {
  private(set) var now: UInt64 = 0
  private var alarms: [Alarm] = []
  private var count = 0

  private struct Alarm {
    let timer: Timer
    let due: UInt64
    let interval: UInt64
    /// The order in which alarms were set, by which those of one time go off.
    let number: Int
  }

  func set(_ timer: Timer, after delay: UInt64, every interval: UInt64) {
    remove(timer)
    count += 1
    alarms.append(Alarm(timer: timer, due: now + delay, interval: interval, number: count))
  }

  func remove(_ timer: Timer) { alarms.removeAll { $0.timer === timer } }

  func has(_ timer: Timer) -> Bool { alarms.contains { $0.timer === timer } }

  /// Fires every timer whose time comes, including those that timers set.
  func advance(by milliseconds: UInt64) {
    let end = now + milliseconds
    while let next = alarms.min(by: { ($0.due, $0.number) < ($1.due, $1.number) }), next.due <= end
    {
      now = max(now, next.due)
      if next.interval > 0 {
        set(next.timer, after: next.interval, every: next.interval)
      } else {
        remove(next.timer)
      }
      next.timer.fire()
    }
    now = end
  }
}
