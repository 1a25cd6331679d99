internal import CUV

/// Calls back once after a delay, or again and again.
public final class Timer: Handle {
  private var onFire: (() -> Void)?

  /// Makes a timer, which does not run yet.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public init(on loop: EventLoop, _ onFire: @escaping () -> Void) throws(EventLoopError) {
    self.onFire = onFire
    super.init(UV_TIMER, on: loop)
    try EventLoopError.check(.timer, uv_timer_init(loop.raw, timer))
    adopt()
  }

  private var timer: UnsafeMutablePointer<uv_timer_t> {
    memory.assumingMemoryBound(to: uv_timer_t.self)
  }

  /// Fires after `delay` milliseconds, and then every `interval` milliseconds; 0 means once. A running
  /// timer is restarted.
  public func start(after delay: UInt64, every interval: UInt64 = 0) {
    guard !isClosing else { return }
    if let time = loop.manualTime { return time.set(self, after: delay, every: interval) }
    uv_timer_start(
      timer,
      {
        guard let timer = Handle.of($0) as? Timer else { return }
        timer.fire()
        // Last: the callback may run the loop itself.
        timer.loop.timerFired()
      }, delay, interval)
  }

  /// Stops the timer.
  public func stop() {
    guard !isClosing else { return }
    if let time = loop.manualTime { return time.remove(self) }
    uv_timer_stop(timer)
  }

  /// Whether the timer runs.
  public var isActive: Bool { loop.manualTime?.has(self) ?? (uv_is_active(raw) != 0) }

  func fire() { onFire?() }

  override func willClose() {
    onFire = nil
    loop.manualTime?.remove(self)
  }
}
