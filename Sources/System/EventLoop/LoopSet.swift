internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// Several loops that one thread runs: only those that something has come for are looked at.
///
/// Whoever opens or uses a handle of a loop from elsewhere than the loop's own callbacks calls ``EventLoop/touch()``.
public final class LoopSet {
  private let loops: [EventLoop]
  private let descriptor: Int32
  private var ready: [epoll_event]

  /// Creates a set of loops, each of which may have something that it does not watch yet.
  ///
  /// - Returns: nil where the system has no descriptor left.
  public init?(_ loops: [EventLoop]) {
    self.loops = loops
    ready = [epoll_event](repeating: epoll_event(), count: min(loops.count, 64))
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    for (index, loop) in loops.enumerated() {
      var event = epoll_event()
      event.events = EPOLLIN.rawValue
      event.data.u64 = UInt64(index)
      loop.touch()
      guard epoll_ctl(descriptor, EPOLL_CTL_ADD, uv_backend_fd(loop.raw), &event) == 0 else {
        close(descriptor)
        return nil
      }
    }
  }

  deinit { close(descriptor) }

  /// Whether the set is of these loops.
  public func isOf(_ loops: [EventLoop]) -> Bool {
    self.loops.count == loops.count && zip(self.loops, loops).allSatisfy { $0 === $1 }
  }

  /// Handles the events of the loops on this thread until `condition` holds.
  public func run(until condition: () -> Bool) {
    while !condition() {
      for index in next() { loops[index].handleWhatHasCome() }
    }
  }

  /// The loops that something has come for, after a wait where there are none.
  private func next() -> [Int] {
    var due: [Int] = []
    var timers: [(index: Int, milliseconds: Int32)] = []
    for (index, loop) in loops.enumerated() {
      let timeout = loop.timeout
      if timeout == 0 { due.append(index) } else if timeout > 0 { timers.append((index, timeout)) }
    }
    let first = timers.map(\.milliseconds).min()
    let count = epoll_wait(descriptor, &ready, Int32(ready.count), due.isEmpty ? first ?? -1 : 0)
    for event in ready.prefix(max(0, Int(count))) { due.append(Int(event.data.u64)) }
    if count == 0, due.isEmpty {
      due = timers.filter { $0.milliseconds == first }.map(\.index)
    }
    return due
  }
}

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
