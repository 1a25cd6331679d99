internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

/// Several loops on one thread. Only loops with pending events run.
///
/// Code that opens or uses a handle of a loop outside of the loop's callbacks must call
/// ``EventLoop/touch()``.
public final class LoopSet {
  private let loops: [EventLoop]
  private let descriptor: Int32
  private var ready: [epoll_event]

  /// Creates a set of loops, and touches each loop.
  ///
  /// - Returns: nil if a system call fails, for example without a free descriptor.
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

  /// Returns whether the set consists of these loops, in this order.
  public func isOf(_ loops: [EventLoop]) -> Bool {
    self.loops.count == loops.count && zip(self.loops, loops).allSatisfy { $0 === $1 }
  }

  /// Handles the loops' events on this thread until `condition` is true.
  public func run(until condition: () -> Bool) {
    while !condition() {
      for index in next() { loops[index].handleWhatHasCome() }
    }
  }

  /// Returns the indexes of the loops with a pending event or a due timer. If there are none, waits first.
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

/// An inner loop that runs within an outer loop on the same thread. Either loop may close first.
///
/// The inner loop must have no timers, since the outer loop does not wait for them. Code that uses
/// the inner loop outside of its callbacks must call ``EventLoop/drain(limit:)`` afterwards.
/// Source: `uv_backend_fd` in libuv's documentation.
public final class EmbeddedLoop: Handle {
  private let inner: EventLoop
  /// The timer that runs the inner loop again if its last run left events or work.
  private var again: Timer?
  /// The delay before the inner loop runs again, in milliseconds. A timer that is due immediately would starve the
  /// outer loop's other handles.
  private static let pause: UInt64 = 1

  /// Embeds `inner` in `outer`.
  ///
  /// - Throws: ``EventLoopError`` if a system call fails.
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
    if !inner.drain() { again?.start(after: Self.pause) }
  }

  override func willClose() { again?.close() }

  private var poll: UnsafeMutablePointer<uv_poll_t> {
    memory.assumingMemoryBound(to: uv_poll_t.self)
  }
}
