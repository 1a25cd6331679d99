internal import CSpawn
internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// The watch for the end of a child process.
final class ProcessEnd: Handle {
  /// A descriptor that is readable once the process has ended.
  private let descriptor: Int32
  private var isSeen = false
  private var onEnd: (() -> Void)?

  /// Watches the process. `onEnd` is called once, when it has ended.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  init(of process: Int32, on loop: EventLoop, onEnd: @escaping () -> Void) throws(EventLoopError) {
    descriptor = cspawn_watch(process)
    self.onEnd = onEnd
    super.init(UV_POLL, on: loop)
    try EventLoopError.check(.spawn, descriptor)
    do throws(EventLoopError) {
      try EventLoopError.check(.spawn, uv_poll_init(loop.raw, poll, descriptor))
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    adopt()
    uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { raw, _, _ in
      (Handle.of(raw) as? ProcessEnd)?.didEnd()
    }
  }

  private var poll: UnsafeMutablePointer<uv_poll_t> {
    memory.assumingMemoryBound(to: uv_poll_t.self)
  }

  private func didEnd() {
    // Its output is read first: that is among the same events, and may stand behind this one, which comes again.
    guard isSeen else {
      isSeen = true
      return
    }
    uv_poll_stop(poll)
    let tell = onEnd
    onEnd = nil
    tell?()
  }

  override func willClose() { onEnd = nil }

  override func didClose() {
    Glibc.close(descriptor)
    super.didClose()
  }
}
