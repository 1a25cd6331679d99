internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

extension EventLoop {
  /// Has a loop in a ``LoopSet`` watch what somebody else's callback has opened on it, or used.
  public func touch() { isTouched = true }
}

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

extension EventLoop {
  fileprivate func handleWhatHasCome() {
    isTouched = false
    takePostponed()
    poll()
  }

  /// Milliseconds until something is due: 0: now; negative: nothing is.
  fileprivate var timeout: Int32 {
    if isTouched || hasPostponed { return 0 }
    // Nothing can come for a loop without handles, and libuv would not wait for it.
    guard uv_loop_alive(raw) != 0 else { return -1 }
    uv_update_time(raw)
    return uv_backend_timeout(raw)
  }
}
