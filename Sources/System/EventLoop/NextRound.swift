internal import CUV

/// Calls back in the next round of a loop, which does not wait for an event then.
public final class NextRound: Handle {
  private var onRound: (() -> Void)?

  /// Makes a handle that nothing is scheduled on yet.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public init(on loop: EventLoop, _ onRound: @escaping () -> Void) throws(EventLoopError) {
    self.onRound = onRound
    super.init(UV_IDLE, on: loop)
    try EventLoopError.check(.timer, uv_idle_init(loop.raw, idle))
    adopt()
  }

  private var idle: UnsafeMutablePointer<uv_idle_t> {
    memory.assumingMemoryBound(to: uv_idle_t.self)
  }

  /// Schedules one call; nothing where one is scheduled already.
  public func schedule() {
    guard !isClosing else { return }
    uv_idle_start(idle) { raw in
      uv_idle_stop(raw)
      (Handle.of(raw) as? NextRound)?.onRound?()
    }
  }

  override func willClose() { onRound = nil }
}
