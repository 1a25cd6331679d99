internal import CUV

/// Calls back when a signal reaches this process.
public final class SignalWatcher: Handle {
  private var onSignal: (() -> Void)?

  /// Watches `signal`, such as `SIGINT`.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public init(
    _ signal: Int32, on loop: EventLoop, _ onSignal: @escaping () -> Void
  ) throws(EventLoopError) {
    self.onSignal = onSignal
    super.init(UV_SIGNAL, on: loop)
    let watcher = memory.assumingMemoryBound(to: uv_signal_t.self)
    try EventLoopError.check(.watchSignal, uv_signal_init(loop.raw, watcher))
    adopt()
    EventLoop.unblock(signal)
    let code = uv_signal_start(
      watcher, { raw, _ in (Handle.of(raw) as? SignalWatcher)?.onSignal?() }, signal)
    guard code == 0 else {
      close()
      throw EventLoopError(.watchSignal, code)
    }
    uv_unref(raw)
  }

  override func willClose() { onSignal = nil }
}
