internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// A libuv loop: all work of one device, or one guest, happens on the thread that runs it.
///
/// Handles (``Pipe``, ``ChildProcess``, ``Timer``, ``SignalWatcher``, ``AsyncSignal``) are kept alive by their
/// loop until they are closed and libuv has released them.
public final class EventLoop {
  let raw: UnsafeMutablePointer<uv_loop_t>
  /// The read buffer of all pipes: at most one read callback runs at a time.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// The manual clock; nil where timers go by the system's clock.
  let manualTime: ManualTime?
  /// The number of handles that are open or closing.
  public private(set) var handleCount = 0
  /// The number of calls of ``work(_:then:)`` that have not ended.
  private var workCount = 0
  /// Whether ``runOnce()`` is the innermost run.
  private var isRunningOnce = false
  /// The number of times that libuv has called back for a handle.
  var callbackCount = 0
  /// The moment for which ``runOnce()`` asks for events before it sleeps.
  private let alertness = Alertness()
  /// Whether ``close()`` has been called.
  public private(set) var isClosed = false
  /// The work that is left for the next turn, so that one turn is bounded.
  private var postponed: [() -> Void] = []
  /// Whether another loop's callback has opened or used a handle of this one, which it does not watch yet.
  var isTouched = false
  /// Called when something is left for the next turn, which somebody else has to begin.
  var onPostpone: (() -> Void)?

  /// The largest number of bytes in one read.
  public static let readSize = 64 * 1024

  /// The clock of the timers.
  public enum Clock: Sendable {
    /// The monotonic clock of the system.
    case system
    /// A clock that only ``EventLoop/advance(by:)`` moves, so that a deadline passes when it is meant to, however
    /// slow the machine is.
    case manual
  }

  /// Opens a loop.
  ///
  /// - Throws: ``EventLoopError`` where the system refuses.
  public init(
    readSize: Int = EventLoop.readSize, clock: Clock = .system
  ) throws(EventLoopError) {
    manualTime = clock == .manual ? ManualTime() : nil
    // A pipe without a reader is an error to be returned, not a signal that ends the process.
    signal(SIGPIPE, SIG_IGN)
    Self.unblock(SIGCHLD)
    Self.heed(SIGCHLD)
    raw = .allocate(capacity: 1)
    readBuffer = .allocate(byteCount: readSize, alignment: 16)
    let code = uv_loop_init(raw)
    guard code == 0 else {
      isClosed = true
      throw EventLoopError(.openLoop, code)
    }
  }

  /// Has the system do with a signal what it does by itself, if the parent of this process has left it ignored
  /// (execve(2)): of SIGCHLD, keep how a child has ended.
  private static func heed(_ number: Int32) {
    var action = sigaction()
    sigaction(number, nil, &action)
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    if handler == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_DFL) }
  }

  /// Lets a signal through that the parent of this process may have left blocked (sigprocmask(2)): without
  /// SIGCHLD, libuv never hears that a child has ended.
  static func unblock(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  deinit {
    precondition(isClosed, "an event loop must be closed before it is let go of")
    raw.deallocate()
    readBuffer.deallocate()
  }

  /// Runs until nothing is left to wait for, or until ``stop()``.
  public func run() { _ = uv_run(raw, UV_RUN_DEFAULT) }

  /// Waits for at least one event and handles all that have come.
  public func runOnce() {
    let isNested = isRunningOnce
    isRunningOnce = true
    // Postponed work counts as an event that has come.
    if takePostponed() {
      poll()
    } else if !alertness.await({ pollAnything() }) {
      _ = uv_run(raw, UV_RUN_ONCE)
    }
    isRunningOnce = isNested
  }

  /// Handles the events that have come, and tells whether there were any.
  private func pollAnything() -> Bool {
    let before = callbackCount
    poll()
    return callbackCount != before
  }

  /// Ends the wait of ``runOnce()``: a timer has fired, and libuv would wait for one more event where it was due
  /// at once.
  func timerFired() { if isRunningOnce { uv_stop(raw) } }

  /// Handles the events that have come, without waiting.
  public func poll() { _ = uv_run(raw, UV_RUN_NOWAIT) }

  /// Whether something is left for the next turn.
  var hasPostponed: Bool { !postponed.isEmpty }

  /// Leaves work for the next turn: of ``runOnce()`` or ``settle(limit:)``.
  func postpone(_ body: @escaping () -> Void) {
    postponed.append(body)
    onPostpone?()
  }

  @discardableResult
  func takePostponed() -> Bool {
    let bodies = postponed
    postponed.removeAll()
    for body in bodies { body() }
    return !bodies.isEmpty
  }

  /// Handles the events that have come, and those that follow from them, until none does; libuv watches a handle that a
  /// callback opened from the next round on.
  ///
  /// - Parameter limit: the largest number of rounds, so that a busy peer does not keep the caller.
  /// - Returns: false where the limit was reached.
  @discardableResult
  public func settle(limit: Int = 64) -> Bool {
    takePostponed()
    for _ in 0..<limit {
      let before = callbackCount
      poll()
      if callbackCount == before { return true }
    }
    return false
  }

  /// Handles events until `condition` holds.
  public func run(until condition: () -> Bool) {
    while !condition() { runOnce() }
  }

  /// Makes ``run()`` return after the present round of events.
  public func stop() { uv_stop(raw) }

  /// Milliseconds of a clock that does not go back, as of the present round of events.
  public var now: UInt64 { manualTime?.now ?? uv_now(raw) }

  /// Takes up the present time, after a while in which nobody ran the loop: the times of timers count from ``now``.
  public func catchUp() { uv_update_time(raw) }

  /// Nanoseconds of the same clock, as of the call.
  public var nanoseconds: UInt64 { manualTime.map { $0.now * 1_000_000 } ?? uv_hrtime() }

  /// Lets milliseconds pass on a manual clock, and fires the timers whose time has come.
  public func advance(by milliseconds: UInt64) {
    guard let manualTime else { preconditionFailure("only a manual clock can be advanced") }
    manualTime.advance(by: milliseconds)
  }

  /// Closes every handle, waits for the work that ``work(_:then:)`` has begun, and frees all memory.
  /// The loop must not be running.
  public func close() {
    guard !isClosed else { return }
    postponed.removeAll()
    onPostpone = nil
    while handleCount > 0 || workCount > 0 {
      // Anew each time: the end of some work may have opened another.
      uv_walk(raw, { handle, _ in Handle.of(handle).close() }, nil)
      _ = uv_run(raw, UV_RUN_ONCE)
    }
    let code = uv_loop_close(raw)
    precondition(code == 0, "libuv still holds a handle of a closed loop")
    isClosed = true
  }

  func didAdopt() { handleCount += 1 }

  func didRelease() { handleCount -= 1 }

  /// Whether work given to ``work(_:then:)`` has not ended.
  public var isWorking: Bool { workCount > 0 }

  func beginWork() { workCount += 1 }

  func endWork() { workCount -= 1 }
}
