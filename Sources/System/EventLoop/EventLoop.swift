internal import CUV
internal import Synchronization

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
  private var isTouched = false
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

  /// Leaves work for the next turn: of ``runOnce()`` or ``settle(limit:)``.
  func postpone(_ body: @escaping () -> Void) {
    postponed.append(body)
    onPostpone?()
  }

  @discardableResult
  private func takePostponed() -> Bool {
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

}

// MARK: - Loops of a set

extension EventLoop {
  /// Has a loop in a ``LoopSet`` watch what somebody else's callback has opened on it, or used.
  public func touch() { isTouched = true }

  func handleWhatHasCome() {
    isTouched = false
    takePostponed()
    poll()
  }

  /// Milliseconds until something is due: 0: now; negative: nothing is.
  var timeout: Int32 {
    if isTouched || !postponed.isEmpty { return 0 }
    // Nothing can come for a loop without handles, and libuv would not wait for it.
    guard uv_loop_alive(raw) != 0 else { return -1 }
    uv_update_time(raw)
    return uv_backend_timeout(raw)
  }
}

// MARK: - Work on other threads

extension EventLoop {
  fileprivate func beginWork() { workCount += 1 }

  fileprivate func endWork() { workCount -= 1 }

  /// Runs `body` on a thread of libuv's pool, and then `finish` with its value on the loop's thread.
  ///
  /// Neither is ever lost: the loop runs on until both are done, and ``close()`` waits for `body`
  /// and calls `finish` before it returns. `finish` may therefore find the loop's handles closing. It never
  /// runs before this call returns.
  ///
  /// The pool belongs to the process, with as many threads as `UV_THREADPOOL_SIZE` states, 4 without it;
  /// the first call starts them. Work begins in the order of the calls, and ends in any order.
  ///
  /// - Parameters:
  ///   - body: the work, which may block; it must not touch the loop or anything of its thread.
  ///   - finish: gets the value of `body`.
  public func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    WorkRequest.start(on: self) {
      let value = body()
      return { finish(value) }
    }
  }
}

/// Work on its way through the pool: libuv owns the request until the work has ended.
private final class WorkRequest {
  private let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
  private let loop: EventLoop
  /// Runs on a thread of the pool, and returns the rest for the loop's thread.
  private let body: () -> () -> Void
  private var finish: (() -> Void)?

  private init(_ loop: EventLoop, _ body: @escaping () -> () -> Void) {
    self.loop = loop
    self.body = body
  }

  deinit { request.deallocate() }

  static func start(on loop: EventLoop, _ body: @escaping () -> () -> Void) {
    let work = WorkRequest(loop, body)
    let retained = Unmanaged.passRetained(work)
    work.request.pointee.data = retained.toOpaque()
    let code = uv_queue_work(
      loop.raw, work.request,
      { raw in
        guard let data = raw?.pointee.data else { return }
        Unmanaged<WorkRequest>.fromOpaque(data).takeUnretainedValue().perform()
      },
      { raw, _ in
        guard let data = raw?.pointee.data else { return }
        Unmanaged<WorkRequest>.fromOpaque(data).takeRetainedValue().end()
      })
    // Its only error is a missing callback (uv_queue_work).
    precondition(code == 0, "libuv takes no work")
    loop.beginWork()
  }

  private func perform() { finish = body() }

  private func end() {
    loop.endWork()
    loop.callbackCount &+= 1
    finish?()
  }
}

/// Tells work on another thread that its result is no longer wanted: see ``EventLoop/work(_:then:)``.
public final class Cancellation: Sendable {
  private let state = Atomic(false)

  /// A cancellation that has not happened.
  public init() {}

  /// Whether the work was cancelled; long work looks at this again and again.
  public var isCancelled: Bool { state.load(ordering: .relaxed) }

  /// Cancels the work, which may end early if it has not ended yet.
  public func cancel() { state.store(true, ordering: .relaxed) }
}

// MARK: - Clock and waiting

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

/// The moment for which a loop goes on asking for events before it sleeps.
///
/// A processor that has gone to sleep takes longer to wake than most guests take to answer. So a loop asks on for a moment, and
/// yields to whoever waits for the processor, as long as that pays: the more often nothing came, the more waits it sleeps
/// through.
final class Alertness {
  /// Number of waits that are still to be slept through.
  private var pause = 0
  /// Number of waits that the next vain attempt costs.
  private var penalty = 1
  /// The longest time of asking, in nanoseconds.
  private static let length: UInt64 = 20_000
  private static let largestPenalty = 256

  /// Asks for events until there are some.
  ///
  /// - Parameter poll: handles the events that have come, and tells whether there were any.
  /// - Returns: whether there were events; otherwise the loop may sleep.
  func await(_ poll: () -> Bool) -> Bool {
    guard pause == 0 else {
      pause -= 1
      return false
    }
    let end = uv_hrtime() + Self.length
    repeat {
      if poll() {
        penalty = 1
        return true
      }
      sched_yield()
    } while uv_hrtime() < end
    pause = penalty
    penalty = min(penalty * 2, Self.largestPenalty)
    return false
  }
}

// MARK: - Errors

/// A refusal of the operating system.
public struct EventLoopError: Error, Sendable, CustomStringConvertible {
  /// libuv's code: a negative errno.
  public let code: Int32
  /// The attempted operation, such as ``spawn``.
  public let operation: Operation

  /// An operation that the system can refuse.
  public enum Operation: String, Sendable {
    case openLoop = "open an event loop"
    case openPipe = "open a pipe"
    case read
    case write
    case spawn = "start a process"
    case signal = "send a signal"
    case watchSignal = "watch a signal"
    case timer = "start a timer"
    case listen
    case startThreads = "start a thread"
    case asyncSignal = "open a signal between threads"
  }

  init(_ operation: Operation, _ code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// The system's words for the code, such as `too many open files`.
  public var reason: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      String(cString: uv_strerror_r(code, buffer.baseAddress, buffer.count))
    }
  }

  /// The errno as a positive number.
  public var errno: Int32 { -code }

  public var description: String { "cannot \(operation.rawValue): \(reason)" }

  /// Throws ``EventLoopError`` unless `code` is a success.
  static func check(_ operation: Operation, _ code: Int32) throws(EventLoopError) {
    if code < 0 { throw EventLoopError(operation, code) }
  }
}
