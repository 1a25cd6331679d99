/// The device's own time, which moves when a step says so.
final class VirtualClock {
  /// Seconds since 1970-01-01T00:00:00Z.
  private(set) var now: Int

  init(now: Int) { self.now = now }

  func advance(by seconds: Int) { now += seconds }
}
