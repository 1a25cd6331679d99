internal import CUV
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// A libuv loop. All work of one device or one guest runs on the loop's thread.
///
/// The loop retains its handles, such as ``Pipe``, ``Timer`` and ``AsyncSignal``, until they are closed and libuv
/// has released them.
public final class EventLoop {
  let raw: UnsafeMutablePointer<uv_loop_t>
  /// The read buffer shared by all pipes. At most one read callback runs at a time.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// The manual clock; nil if timers use the system clock.
  let manualTime: ManualTime?
  /// The number of handles that are open or closing.
  public private(set) var handleCount = 0
  /// The number of unfinished ``work(_:then:)`` calls.
  private var workCount = 0
  /// Whether ``runOnce()`` is running.
  private var isRunningOnce = false
  var callbackCount = 0
  private let busyPoll = BusyPoll()
  /// Whether the loop polls for a moment before it sleeps. Benchmarks that count instructions turn this off.
  package var pollsBeforeSleep = true
  /// Whether ``close()`` was called.
  public private(set) var isClosed = false
  /// Work that waits for the next iteration, so the current iteration stays short.
  private var postponed: [() -> Void] = []
  /// Whether a handle was opened or used outside of this loop's callbacks since the loop last ran. libuv watches such a
  /// handle only after the loop runs again.
  private var isTouched = false
  /// Called when work is postponed. An outer loop uses it to schedule this loop's next iteration.
  var onPostpone: (() -> Void)?

  /// The default maximum number of bytes per read.
  public static let readSize = 64 * 1024

  /// The clock of the timers.
  public enum Clock: Sendable {
    /// The monotonic clock of the system.
    case system
    /// A clock that only ``EventLoop/advance(by:)`` moves, so timeouts do not depend on the machine's speed.
    case manual
  }

  /// Opens a loop. The process then ignores SIGPIPE, and SIGCHLD has its default action.
  ///
  /// - Throws: ``EventLoopError`` if a system call fails.
  public init(
    readSize: Int = EventLoop.readSize, clock: Clock = .system
  ) throws(EventLoopError) {
    manualTime = clock == .manual ? ManualTime() : nil
    // Writing to a closed pipe must return an error instead of ending the process.
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

  /// Restores a signal's default action if the parent process left it ignored (execve(2)). With SIGCHLD
  /// ignored, the kernel discards exit statuses.
  private static func heed(_ number: Int32) {
    var action = sigaction()
    sigaction(number, nil, &action)
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    if handler == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_DFL) }
  }

  /// Unblocks a signal that the parent process may have left blocked (sigprocmask(2)). Without SIGCHLD, libuv
  /// does not notice exited children.
  static func unblock(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  deinit {
    precondition(isClosed, "an event loop must be closed before it is released")
    raw.deallocate()
    readBuffer.deallocate()
  }

  /// Handles events until no handle or unfinished work keeps the loop running, or until ``stop()`` is called.
  public func run() { _ = uv_run(raw, UV_RUN_DEFAULT) }

  /// Waits until an event or postponed work is pending, then handles all pending events and work.
  public func runOnce() {
    let isNested = isRunningOnce
    isRunningOnce = true
    // Postponed work counts as an event.
    if takePostponed() {
      poll()
    } else if !pollsBeforeSleep || !busyPoll.await({ pollAnything() }) {
      _ = uv_run(raw, UV_RUN_ONCE)
    }
    isRunningOnce = isNested
  }

  /// Handles pending events; returns whether there were any.
  private func pollAnything() -> Bool {
    let before = callbackCount
    poll()
    return callbackCount != before
  }

  /// Makes ``runOnce()`` return after a timer fired. If the timer was due immediately, libuv would otherwise wait for
  /// another event.
  func timerFired() { if isRunningOnce { uv_stop(raw) } }

  /// Handles pending events without waiting.
  public func poll() { _ = uv_run(raw, UV_RUN_NOWAIT) }

  /// Postpones work to the next iteration of ``runOnce()`` or ``drain(limit:)``.
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

  /// Handles pending events and the events that follow from them, until none is left. libuv watches a newly
  /// opened handle from the next iteration on.
  ///
  /// - Parameter limit: the maximum number of iterations, so a busy peer cannot block the caller.
  /// - Returns: false if the limit was reached.
  @discardableResult
  public func drain(limit: Int = 64) -> Bool {
    takePostponed()
    for _ in 0..<limit {
      let before = callbackCount
      poll()
      if callbackCount == before { return true }
    }
    return false
  }

  /// Handles events until `condition` is true.
  public func run(until condition: () -> Bool) {
    while !condition() { runOnce() }
  }

  /// Makes ``run()`` return after the current iteration.
  public func stop() { uv_stop(raw) }

  /// The monotonic time in milliseconds, as of the current iteration.
  public var now: UInt64 { manualTime?.now ?? uv_now(raw) }

  /// Updates ``now``, for callers outside of an iteration. Timers count from ``now``.
  public func catchUp() { uv_update_time(raw) }

  /// The current monotonic time in nanoseconds, from the manual clock if there is one.
  public var nanoseconds: UInt64 { manualTime.map { $0.now * 1_000_000 } ?? uv_hrtime() }

  /// Advances a manual clock and fires the timers that are due.
  public func advance(by milliseconds: UInt64) {
    guard let manualTime else { preconditionFailure("only a manual clock can be advanced") }
    manualTime.advance(by: milliseconds)
  }

  /// Closes every handle, waits until the calls of ``work(_:then:)`` are finished, and frees all memory. The loop must
  /// not be running.
  public func close() {
    guard !isClosed else { return }
    postponed.removeAll()
    onPostpone = nil
    while handleCount > 0 || workCount > 0 {
      // The loop repeats, since finished work may open another handle.
      uv_walk(raw, { handle, _ in Handle.of(handle).close() }, nil)
      _ = uv_run(raw, UV_RUN_ONCE)
    }
    let code = uv_loop_close(raw)
    precondition(code == 0, "libuv still holds a handle of a closed loop")
    isClosed = true
  }

  func didAdopt() { handleCount += 1 }

  func didRelease() { handleCount -= 1 }

  /// Whether ``work(_:then:)`` has unfinished work.
  public var isWorking: Bool { workCount > 0 }

  // MARK: Loops of a set

  /// Makes the loop's ``LoopSet`` run the loop once more, so the loop watches the handles that were opened or used
  /// outside of the loop's callbacks.
  public func touch() { isTouched = true }

  func handleWhatHasCome() {
    isTouched = false
    takePostponed()
    poll()
  }

  /// The time until the next event, in milliseconds; 0 if an event is due, negative if none is
  /// scheduled.
  var timeout: Int32 {
    if isTouched || !postponed.isEmpty { return 0 }
    // A loop without handles receives no events, and libuv would not wait for it.
    guard uv_loop_alive(raw) != 0 else { return -1 }
    uv_update_time(raw)
    return uv_backend_timeout(raw)
  }

  // MARK: Work on other threads

  fileprivate func beginWork() { workCount += 1 }

  fileprivate func endWork() { workCount -= 1 }

  /// Runs `body` on a thread of libuv's pool, then `finish` with the result on the loop's thread.
  ///
  /// Both functions always run: the loop runs until they are done, and ``close()`` waits for `body` and calls `finish`.
  /// When ``close()`` calls `finish`, the loop's handles are closing. `finish` never runs before ``work(_:then:)``
  /// returns.
  ///
  /// The pool is process-wide, with `UV_THREADPOOL_SIZE` threads, by default 4. The first call starts it. Calls of
  /// `body` start in the order of the calls of this function, and end in any order.
  ///
  /// - Parameters:
  ///   - body: the work, which may block; it must not use the loop or anything confined to its thread.
  ///   - finish: called with the result of `body`.
  public func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    WorkRequest.start(on: self) {
      let value = body()
      return { finish(value) }
    }
  }
}

/// A work item of the pool. libuv owns the request until the work is done.
private final class WorkRequest {
  private let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
  private let loop: EventLoop
  /// The work for a pool thread. It returns a function to call on the loop's thread afterwards.
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
    // uv_queue_work only fails without a callback.
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

/// A cancellation flag for work on other threads.
public final class Cancellation: Sendable {
  private let state = Atomic(false)

  /// Creates a flag that is not set.
  public init() {}

  /// Whether the work was cancelled. Long work checks this repeatedly.
  public var isCancelled: Bool { state.load(ordering: .relaxed) }

  /// Cancels the work, which may then end early.
  public func cancel() { state.store(true, ordering: .relaxed) }
}

// MARK: - Clock and waiting

/// A clock that only moves when advanced, and its timers.
final class ManualTime {
  private(set) var now: UInt64 = 0
  private var alarms: [Alarm] = []
  private var count = 0

  private struct Alarm {
    let timer: Timer
    let due: UInt64
    let interval: UInt64
    /// The number of the ``set(_:after:every:)`` call. Alarms that are due at the same time fire in the order of these
    /// numbers.
    let number: Int
  }

  func set(_ timer: Timer, after delay: UInt64, every interval: UInt64) {
    remove(timer)
    count += 1
    alarms.append(Alarm(timer: timer, due: now + delay, interval: interval, number: count))
  }

  func remove(_ timer: Timer) { alarms.removeAll { $0.timer === timer } }

  func has(_ timer: Timer) -> Bool { alarms.contains { $0.timer === timer } }

  /// Advances the time and fires the timers that become due, in order of time, including timers that are set during the
  /// call.
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

/// Busy polling before a loop sleeps.
///
/// Waking a sleeping processor takes longer than most guests take to respond. Before the loop sleeps, it therefore
/// polls for a moment and yields to other threads meanwhile. After a poll without events, the next wait starts without
/// polling. Each further poll without events doubles the number of such waits, up to a limit.
final class BusyPoll {
  /// The number of waits, from the next one on, that skip polling.
  private var pause = 0
  /// The number of waits that skip polling after the next poll without events.
  private var penalty = 1
  /// The maximum polling time in nanoseconds.
  private static let length: UInt64 = 40_000
  private static let largestPenalty = 256

  /// Polls until there are events, for at most ``length``. After polls without events, some calls return false without
  /// polling.
  ///
  /// - Parameter poll: handles pending events and returns whether there were any.
  /// - Returns: whether there were events; if false, the loop may sleep.
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

/// A failed system call.
public struct EventLoopError: Error, Sendable, CustomStringConvertible {
  /// libuv's code: a negative errno.
  public let code: Int32
  /// The attempted operation, such as ``spawn``.
  public let operation: Operation

  /// An operation that can fail.
  public enum Operation: String, Sendable {
    case openLoop = "open an event loop"
    case openPipe = "open a pipe"
    case read
    case write
    case spawn = "start a process"
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

  /// The system's message for the code, such as `too many open files`.
  public var reason: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      String(cString: uv_strerror_r(code, buffer.baseAddress, buffer.count))
    }
  }

  /// The errno as a positive number.
  public var errno: Int32 { -code }

  public var description: String { "cannot \(operation.rawValue): \(reason)" }

  static func check(_ operation: Operation, _ code: Int32) throws(EventLoopError) {
    if code < 0 { throw EventLoopError(operation, code) }
  }
}

// MARK: - Running time

/// The time for which this process has run, in milliseconds. Pauses longer than ``longestGap`` do not count, because
/// the process was probably stopped, for example by Ctrl-Z.
///
/// Use it to limit waits for other processes, because their messages are not read while this process is stopped. Read
/// it at least once a second: a pause is recognised by the time between two readings.
public struct RunningTime: Sendable {
  private var latest: UInt64
  private var passed: UInt64 = 0

  /// The longest time between two readings that counts, in milliseconds. A longer time is a pause.
  public static let longestGap: UInt64 = 5_000

  /// Creates a running time of 0.
  ///
  /// - Parameter now: The loop's time.
  public init(from now: UInt64) { latest = now }

  /// Returns the time since the start, without pauses, in milliseconds.
  ///
  /// - Parameter now: The loop's time.
  public mutating func read(at now: UInt64) -> UInt64 {
    let gap = now - latest
    latest = now
    if gap <= Self.longestGap { passed += gap }
    return passed
  }
}
