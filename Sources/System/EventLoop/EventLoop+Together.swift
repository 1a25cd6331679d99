internal import CUV

#if canImport(Glibc)
  internal import Glibc
#endif

extension EventLoop {
  /// Handles the events of several loops on this thread until `condition` holds: what happens on one may open handles of
  /// another.
  ///
  /// - Parameter loops: the loops, at least one.
  public static func run(_ loops: [EventLoop], until condition: () -> Bool) {
    guard loops.count > 1 else {
      loops.first?.run(until: condition)
      return
    }
    while !condition() {
      // Each loop watches what was opened on it since its last round.
      let events = loops.reduce(0) { $0 + $1.handled() }
      if events == 0, !condition() { sleep(until: loops) }
    }
  }

  /// Handles what has come, and what was left for the next turn.
  ///
  /// - Returns: the number of events.
  private func handled() -> Int {
    let before = callbackCount
    let hasPostponed = takePostponed()
    poll()
    return callbackCount - before + (hasPostponed ? 1 : 0)
  }

  /// Waits for an event of any of the loops, or for the first of their timers.
  private static func sleep(until loops: [EventLoop]) {
    var descriptors = loops.map {
      pollfd(fd: uv_backend_fd($0.raw), events: Int16(POLLIN), revents: 0)
    }
    let timeouts = loops.map { uv_backend_timeout($0.raw) }
    // A negative one is none.
    let timeout = timeouts.filter { $0 >= 0 }.min() ?? -1
    _ = Glibc.poll(&descriptors, nfds_t(descriptors.count), timeout)
  }
}
