internal import CUV

/// Runs one loop within another whenever that is idle: both live on one thread, and each may end before the other.
///
/// Source: `uv_backend_fd` in libuv's documentation. The inner loop must have no timers, for nothing waits for
/// them, and code that uses it outside of its own callbacks calls ``EventLoop/settle(limit:)`` afterwards.
public final class EmbeddedLoop: Handle {
  private let inner: EventLoop
  /// The timer that goes on with a turn that was not finished.
  private var again: Timer?
  /// The pause before such a turn in milliseconds: a timer that is due at once would keep the outer loop from its other
  /// handles.
  private static let pause: UInt64 = 1

  /// Embeds `inner` in `outer`.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public init(_ inner: EventLoop, in outer: EventLoop) throws(EventLoopError) {
    self.inner = inner
    super.init(UV_POLL, on: outer)
    let again = try Timer(on: outer) { [unowned self] in run() }
    self.again = again
    let descriptor = uv_backend_fd(inner.raw)
    do throws(EventLoopError) {
      try EventLoopError.check(.openLoop, uv_poll_init(outer.raw, poll, descriptor))
    } catch {
      again.close()
      throw error
    }
    adopt()
    inner.onPostpone = { [weak again] in again?.start(after: EmbeddedLoop.pause) }
    uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { raw, _, _ in
      (Handle.of(raw) as? EmbeddedLoop)?.run()
    }
  }

  private func run() {
    if !inner.settle() { again?.start(after: Self.pause) }
  }

  override func willClose() { again?.close() }

  private var poll: UnsafeMutablePointer<uv_poll_t> {
    memory.assumingMemoryBound(to: uv_poll_t.self)
  }
}
