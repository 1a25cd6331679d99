internal import CUV
internal import Synchronization

/// Calls back on the loop's thread when another thread asks for it.
///
/// Asking again before the loop has called back adds nothing: the work belongs in a
/// queue of the asker's own, to be emptied whenever the loop calls back (`uv_async_send` in libuv's
/// documentation).
public final class AsyncSignal: Handle {
  /// The sender for other threads; it may outlive the signal and its loop.
  public let sender = Sender()
  private var onSend: (() -> Void)?

  /// The end of a signal that any thread may hold.
  public final class Sender: Sendable {
    private let signal = Mutex<Raw?>(nil)

    fileprivate init() {}

    /// Makes the loop call back soon. Never waits for the loop; safe from any thread.
    ///
    /// - Returns: false where the signal has been closed, and no callback will come.
    @discardableResult
    public func send() -> Bool {
      // Within the lock, for libuv's memory is gone once the signal has been closed.
      signal.withLock { signal in
        guard let signal else { return false }
        return uv_async_send(signal.pointer) == 0
      }
    }

    fileprivate func open(_ pointer: UnsafeMutablePointer<uv_async_t>) {
      let raw = Raw(pointer: pointer)
      signal.withLock { $0 = raw }
    }

    fileprivate func close() { signal.withLock { $0 = nil } }
  }

  /// libuv's handle, which only ``Sender`` touches from other threads, and only to send.
  private struct Raw: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<uv_async_t>
  }

  /// Starts watching; `onSend` runs on the loop's thread.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public init(on loop: EventLoop, _ onSend: @escaping () -> Void) throws(EventLoopError) {
    self.onSend = onSend
    super.init(UV_ASYNC, on: loop)
    let signal = memory.assumingMemoryBound(to: uv_async_t.self)
    let code = uv_async_init(loop.raw, signal) { raw in
      (Handle.of(raw) as? AsyncSignal)?.onSend?()
    }
    try EventLoopError.check(.asyncSignal, code)
    adopt()
    sender.open(signal)
  }

  /// From here on this signal alone does not keep the loop running.
  public func unref() {
    guard !isClosing else { return }
    uv_unref(raw)
  }

  override func willClose() {
    sender.close()
    onSend = nil
  }
}
