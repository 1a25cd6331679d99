internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

extension EventLoop {
  /// Handles the events of several loops on this thread until `condition` holds.
  ///
  /// - Parameter loops: the loops, at least one. A callback of one that opens or uses a handle of another calls ``touch()``
  ///   of that one.
  public static func run(_ loops: [EventLoop], until condition: () -> Bool) {
    guard loops.count > 1, let set = LoopSet(loops) else {
      loops.first?.run(until: condition)
      return
    }
    set.run(until: condition)
  }

  /// Has the loop watch what another loop's callback has opened on it, or used.
  public func touch() { isTouched = true }
}

/// Several loops that one thread runs: only those that something has come for are looked at.
private final class LoopSet {
  private let loops: [EventLoop]
  private let descriptor: Int32
  private var ready: [epoll_event]

  /// nil where the system has no descriptor left.
  init?(_ loops: [EventLoop]) {
    self.loops = loops
    ready = [epoll_event](repeating: epoll_event(), count: min(loops.count, 64))
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    for (index, loop) in loops.enumerated() {
      var event = epoll_event()
      event.events = EPOLLIN.rawValue
      event.data.u64 = UInt64(index)
      guard epoll_ctl(descriptor, EPOLL_CTL_ADD, uv_backend_fd(loop.raw), &event) == 0 else {
        close(descriptor)
        return nil
      }
    }
  }

  deinit { close(descriptor) }

  func run(until condition: () -> Bool) {
    // Each may have something that it does not watch yet.
    var due = Array(loops.indices)
    while !condition() {
      for index in due { loops[index].handleWhatHasCome() }
      guard !condition() else { return }
      due = next()
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
    uv_update_time(raw)
    return uv_backend_timeout(raw)
  }
}
