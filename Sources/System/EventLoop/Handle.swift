internal import CUV
internal import Synchronization

/// An object that a loop watches, such as a pipe, a timer or a signal.
///
/// libuv uses a handle's memory until its close callback. The memory is therefore on the heap and lives as long as the
/// object. A reference in libuv's handle retains the object until that callback.
public class Handle {
  let loop: EventLoop
  let memory: UnsafeMutableRawPointer
  /// Whether ``close()`` was called.
  public private(set) var isClosing = false

  init(_ type: uv_handle_type, on loop: EventLoop) {
    self.loop = loop
    memory = .allocate(byteCount: uv_handle_size(type), alignment: 16)
  }

  deinit { memory.deallocate() }

  var raw: UnsafeMutablePointer<uv_handle_t> { cuv_handle(memory) }

  /// Returns the object of the handle `raw`, which libuv passes to a callback.
  static func of(_ raw: UnsafeMutableRawPointer?) -> Handle {
    guard let data = raw.flatMap({ cuv_handle($0).pointee.data }) else {
      preconditionFailure("libuv must call back only for handles that are set up")
    }
    let handle = Unmanaged<Handle>.fromOpaque(data).takeUnretainedValue()
    handle.loop.callbackCount &+= 1
    return handle
  }

  /// Retains the object until its handle is closed. Call it once libuv has initialised the handle.
  func adopt() {
    raw.pointee.data = Unmanaged.passRetained(self).toOpaque()
    loop.didAdopt()
  }

  /// Stops watching. No callback of this handle runs afterwards. Idempotent.
  public func close() {
    guard !isClosing else { return }
    isClosing = true
    willClose()
    uv_close(raw) { Handle.of($0).didClose() }
  }

  /// Called before the handle is closed. Does nothing by default; subclasses override it to release their
  /// callbacks, which often retain the handle's owner.
  func willClose() {}

  func didClose() {
    loop.didRelease()
    Unmanaged.passUnretained(self).release()
  }
}

// MARK: - Timers and iterations

/// A one-shot or repeating timer.
public final class Timer: Handle {
  private var onFire: (() -> Void)?

  /// Creates a stopped timer.
  ///
  /// - Throws: ``EventLoopError`` if libuv fails.
  public init(on loop: EventLoop, _ onFire: @escaping () -> Void) throws(EventLoopError) {
    self.onFire = onFire
    super.init(UV_TIMER, on: loop)
    try EventLoopError.check(.timer, uv_timer_init(loop.raw, timer))
    adopt()
  }

  private var timer: UnsafeMutablePointer<uv_timer_t> {
    memory.assumingMemoryBound(to: uv_timer_t.self)
  }

  /// Fires after `delay` milliseconds, then every `interval` milliseconds; with an interval of 0, fires once. Restarts
  /// a running timer.
  public func start(after delay: UInt64, every interval: UInt64 = 0) {
    guard !isClosing else { return }
    if let time = loop.manualTime { return time.set(self, after: delay, every: interval) }
    uv_timer_start(
      timer,
      {
        guard let timer = Handle.of($0) as? Timer else { return }
        timer.fire()
        // This call comes last, since the callback may run the loop.
        timer.loop.timerFired()
      }, delay, interval)
  }

  public func stop() {
    guard !isClosing else { return }
    if let time = loop.manualTime { return time.remove(self) }
    uv_timer_stop(timer)
  }

  /// Whether the timer is running.
  public var isActive: Bool { loop.manualTime?.has(self) ?? (uv_is_active(raw) != 0) }

  func fire() { onFire?() }

  override func willClose() {
    onFire = nil
    loop.manualTime?.remove(self)
  }
}

/// A callback that runs in a loop's next iteration. While it is scheduled, the loop does not wait for events.
public final class NextRound: Handle {
  private var onRound: (() -> Void)?

  /// Creates a handle without a scheduled call.
  ///
  /// - Throws: ``EventLoopError`` if libuv fails.
  public init(on loop: EventLoop, _ onRound: @escaping () -> Void) throws(EventLoopError) {
    self.onRound = onRound
    super.init(UV_IDLE, on: loop)
    try EventLoopError.check(.timer, uv_idle_init(loop.raw, idle))
    adopt()
  }

  private var idle: UnsafeMutablePointer<uv_idle_t> {
    memory.assumingMemoryBound(to: uv_idle_t.self)
  }

  /// Schedules one call. Does nothing if a call is already scheduled.
  public func schedule() {
    guard !isClosing else { return }
    uv_idle_start(idle) { raw in
      uv_idle_stop(raw)
      (Handle.of(raw) as? NextRound)?.onRound?()
    }
  }

  override func willClose() { onRound = nil }
}

// MARK: - Signals

/// A callback on the loop's thread, requested by another thread.
///
/// Several requests may cause only one callback. Senders therefore put their work in a queue, and the callback empties
/// the queue (`uv_async_send` in libuv's documentation).
public final class AsyncSignal: Handle {
  /// The sender for other threads. It may outlive the signal and its loop.
  public let sender = Sender()
  private var onSend: (() -> Void)?

  /// The sending end of a signal, usable on any thread.
  public final class Sender: Sendable {
    private let signal = Mutex<Raw?>(nil)

    fileprivate init() {}

    /// Requests a callback of the loop without waiting for it. Safe on any thread.
    ///
    /// - Returns: false if the signal is closed and no callback will follow.
    @discardableResult
    public func send() -> Bool {
      // The lock is held, since libuv's memory is freed after the signal is closed.
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

  /// libuv's handle. Other threads only access it through ``Sender``, and only to send.
  private struct Raw: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<uv_async_t>
  }

  /// Starts watching. `onSend` runs on the loop's thread.
  ///
  /// - Throws: ``EventLoopError`` if libuv fails.
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

  /// Lets the loop stop while only this signal is open.
  public func unref() {
    guard !isClosing else { return }
    uv_unref(raw)
  }

  override func willClose() {
    sender.close()
    onSend = nil
  }
}

/// A callback when a signal reaches this process. It does not keep the loop running.
public final class SignalWatcher: Handle {
  private var onSignal: (() -> Void)?

  /// Watches `signal`, such as `SIGINT`.
  ///
  /// - Throws: ``EventLoopError`` if libuv fails.
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
