import Glibc
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(15))) struct EventLoopTests {
  @Test func `running an event loop without handles returns immediately`() throws {
    try withLoop { loop in
      loop.run()
      loop.runOnce()
      loop.poll()
      #expect(loop.handleCount == 0)
    }
  }

  @Test func `a stopped event loop returns from run and can run again`() throws {
    try withLoop { loop in
      var count = 0
      try Timer(on: loop) {
        count += 1
        loop.stop()
      }.start(after: 0, every: 1)
      for expected in 1...3 {
        loop.run()
        #expect(count == expected)
      }
    }
  }

  @Test func `polling the loop does not block`() throws {
    try withLoop { loop in
      try Timer(on: loop) { Issue.record("an hour cannot have passed") }.start(after: 3_600_000)
      loop.poll()
      #expect(loop.handleCount == 1)
    }
  }

  @Test func `the clock is monotonic`() throws {
    try withLoop { loop in
      let before = loop.now
      loop.poll()
      #expect(loop.now >= before)
    }
  }

  // SIGURG is ignored by default.
  @Test func `each signal runs the watcher's callback until the watcher is closed`() throws {
    try withLoop { loop in
      var count = 0
      let watcher = try SignalWatcher(SIGURG, on: loop) { count += 1 }
      // A timer keeps the loop running; a watcher alone does not.
      let timer = try Timer(on: loop) {}
      timer.start(after: 3_600_000)
      for expected in 1...2 {
        kill(getpid(), SIGURG)
        loop.runOnce()
        #expect(count == expected)
      }
      watcher.close()
      timer.close()
      kill(getpid(), SIGURG)
      loop.run()
      #expect(count == 2)
      #expect(loop.handleCount == 0)
    }
  }

  @Test func `a signal watcher does not keep the loop running`() throws {
    try withLoop { loop in
      _ = try SignalWatcher(SIGURG, on: loop) {}
      loop.run()
      #expect(loop.handleCount == 1)
    }
  }

  @Test func `an uncatchable signal cannot be watched`() throws {
    try withLoop { loop in
      let error = try #require(throws: EventLoopError.self) {
        _ = try SignalWatcher(SIGKILL, on: loop) {}
      }
      #expect(error.errno == EINVAL)
      loop.run()
      #expect(loop.handleCount == 0)
    }
  }

  @Test func `closing a handle is idempotent`() throws {
    try withLoop { loop in
      let handles = try oneOfEach(on: loop)
      #expect(loop.handleCount == handles.count)
      for handle in handles {
        handle.close()
        handle.close()
        #expect(handle.isClosing)
      }
      loop.run()
      #expect(loop.handleCount == 0)
      for handle in handles { handle.close() }
    }
  }

  @Test func `closing the loop closes every handle`() throws {
    let loop = try EventLoop()
    let handles = try oneOfEach(on: loop)
    loop.close()
    #expect(loop.handleCount == 0)
    #expect(handles.allSatisfy { $0.isClosing })
    loop.close()
  }

  @Test func `a closed handle releases its callbacks`() throws {
    final class Token {}
    try withLoop { loop in
      var token: Token? = Token()
      weak let held = token
      let timer = try Timer(on: loop) { [token] in _ = token }
      let pipe = try Pipe(on: loop)
      pipe.onRead = { [token] _ in _ = token }
      pipe.onEnd = { [token] _ in _ = token }
      pipe.onDrain = { [token] in _ = token }
      let watcher = try SignalWatcher(SIGURG, on: loop) { [token] in _ = token }
      token = nil
      #expect(held != nil)
      for handle in [timer, pipe, watcher] { handle.close() }
      #expect(held == nil)
    }
  }

  private func oneOfEach(on loop: EventLoop) throws -> [Handle] {
    let timer = try Timer(on: loop) {}
    timer.start(after: 3_600_000)
    return [timer, try Pipe(on: loop), try SignalWatcher(SIGURG, on: loop) {}]
  }
}

@Suite(.timeLimit(.minutes(15))) struct TimerTests {
  @Test func `a timer fires once`() throws {
    try withLoop { loop in
      var count = 0
      let timer = try Timer(on: loop) { count += 1 }
      #expect(!timer.isActive)
      timer.start(after: 1)
      #expect(timer.isActive)
      loop.run()
      #expect(count == 1)
      #expect(!timer.isActive)
    }
  }

  @Test func `a wait returns immediately if a timer is due`() throws {
    try withLoop { loop in
      var (isDue, isLate) = (false, false)
      let due = try Timer(on: loop) { isDue = true }
      let late = try Timer(on: loop) { isLate = true }
      late.start(after: 3_600_000)
      due.start(after: 0)
      loop.runOnce()
      #expect(isDue && !isLate)
    }
  }

  @Test func `an iteration ends after the due timer, even if the timer's callback runs the loop`()
    throws
  {
    try withLoop { loop in
      var (isInner, isLate) = (false, false)
      let late = try Timer(on: loop) { isLate = true }
      let inner = try Timer(on: loop) { isInner = true }
      let due = try Timer(on: loop) {
        inner.start(after: 0)
        loop.runOnce()
      }
      late.start(after: 3_600_000)
      due.start(after: 0)
      loop.runOnce()
      #expect(isInner && !isLate)
    }
  }

  @Test func `a repeating timer fires until it is stopped`() throws {
    try withLoop { loop in
      var count = 0
      var repeating: Timer?
      let timer = try Timer(on: loop) {
        count += 1
        if count == 3 { repeating?.stop() }
      }
      repeating = timer
      timer.start(after: 0, every: 1)
      loop.run()
      #expect(count == 3)
      #expect(!timer.isActive)
    }
  }

  @Test func `a stopped timer fires only after it is restarted`() throws {
    try withLoop { loop in
      var count = 0
      let timer = try Timer(on: loop) { count += 1 }
      timer.start(after: 0)
      timer.stop()
      loop.run()
      #expect(count == 0)
      timer.start(after: 0)
      loop.run()
      #expect(count == 1)
    }
  }

  @Test func `restarting a timer replaces its delay`() throws {
    try withLoop { loop in
      var count = 0
      let timer = try Timer(on: loop) { count += 1 }
      timer.start(after: 3_600_000)
      timer.start(after: 0)
      loop.run()
      #expect(count == 1)
    }
  }

  @Test func `timers fire in order of their delays`() throws {
    try withLoop { loop in
      var order: [UInt64] = []
      for delay in [20, 1, 10] as [UInt64] {
        try Timer(on: loop) { order.append(delay) }.start(after: delay)
      }
      loop.run()
      #expect(order == [1, 10, 20])
    }
  }

  @Test func `a timer can close itself`() throws {
    try withLoop { loop in
      var own: Timer?
      let timer = try Timer(on: loop) { own?.close() }
      own = timer
      timer.start(after: 0, every: 1)
      loop.run()
      #expect(loop.handleCount == 0)
      #expect(!timer.isActive)
    }
  }

  @Test func `a closed timer cannot be started`() throws {
    try withLoop { loop in
      let timer = try Timer(on: loop) { Issue.record("a closed timer fired") }
      timer.close()
      timer.start(after: 0)
      timer.stop()
      loop.run()
      #expect(!timer.isActive)
    }
  }
}

/// Calls `body` with a loop that has a manual clock.
@Suite struct ManualTimeTests {
  private func withLoop(_ body: (EventLoop) throws -> Void) throws {
    let loop = try EventLoop(clock: .manual)
    defer { loop.close() }
    try body(loop)
  }

  @Test func `no virtual timer fires before its time`() throws {
    try withLoop { loop in
      var count = 0
      let timer = try Timer(on: loop) { count += 1 }
      timer.start(after: 10)
      loop.poll()
      loop.advance(by: 9)
      #expect(count == 0 && timer.isActive && loop.now == 9)
      loop.advance(by: 1)
      #expect(count == 1 && !timer.isActive && loop.now == 10)
      loop.advance(by: 100)
      #expect(count == 1)
    }
  }

  @Test func `virtual timers fire in order, even if one starts another`() throws {
    try withLoop { loop in
      var fired: [String] = []
      let late = try Timer(on: loop) { fired.append("late at \(loop.now)") }
      let next = try Timer(on: loop) { fired.append("next at \(loop.now)") }
      let first = try Timer(on: loop) {
        fired.append("first at \(loop.now)")
        next.start(after: 5)
      }
      late.start(after: 20)
      first.start(after: 10)
      loop.advance(by: 30)
      #expect(fired == ["first at 10", "next at 15", "late at 20"])
    }
  }

  @Test func `a repeating virtual timer fires until it is stopped`() throws {
    try withLoop { loop in
      var times: [UInt64] = []
      var repeating: Timer?
      let timer = try Timer(on: loop) {
        times.append(loop.now)
        if times.count == 3 { repeating?.stop() }
      }
      repeating = timer
      timer.start(after: 5, every: 10)
      loop.advance(by: 1_000)
      #expect(times == [5, 15, 25])
    }
  }

  @Test func `restarting a virtual timer replaces its time, and closed timers do not fire`() throws
  {
    try withLoop { loop in
      var count = 0
      let timer = try Timer(on: loop) { count += 1 }
      timer.start(after: 10)
      timer.start(after: 20)
      loop.advance(by: 15)
      #expect(count == 0)
      timer.close()
      loop.advance(by: 100)
      #expect(count == 0 && !timer.isActive)
    }
  }
}

/// Tests several loops on one thread.
@Suite(.timeLimit(.minutes(15))) struct LoopSetTests {
  @Test func `a loop set runs each loop and wakes for timers started by another loop`() throws {
    try withLoop { first in
      try withLoop { second in
        var path: [String] = []
        var (later, last): (Timer?, Timer?)
        last = try Timer(on: first) { path.append("first again") }
        later = try Timer(on: second) {
          path.append("second")
          last?.start(after: 1)
          first.touch()
        }
        let start = try Timer(on: first) {
          path.append("first")
          later?.start(after: 1)
          second.touch()
        }
        start.start(after: 0)
        try #require(LoopSet([first, second])).run { path.count == 3 }
        #expect(path == ["first", "second", "first again"])
      }
    }
  }

  @Test func `work completed on another thread wakes the loop that started it`() throws {
    try withLoop { first in
      try withLoop { second in
        var result = 0
        second.work {
          21
        } then: {
          result = $0 * 2
        }
        try #require(LoopSet([first, second])).run { result != 0 }
        #expect(result == 42)
      }
    }
  }

  @Test func `loops sleep until the next timer even if one loop has no handles`() throws {
    try withLoop { first in
      try withLoop { second in
        var isDue = false
        let timer = try Timer(on: first) { isDue = true }
        timer.start(after: 50)
        var looks = 0
        try #require(LoopSet([first, second])).run {
          looks += 1
          return isDue
        }
        #expect(looks < 20, "\(looks)")
      }
    }
  }

  @Test func `a loop set returns at once if the awaited condition already holds`() throws {
    try withLoop { first in
      try withLoop { second in
        let set = try #require(LoopSet([first, second]))
        set.run { true }
        #expect(set.isOf([first, second]) && !set.isOf([second, first]) && !set.isOf([first]))
      }
    }
  }
}

/// Tests the clock for time limits of other processes.
@Suite struct RunningTimeTests {
  @Test
  func `the running time counts intervals of a few seconds between readings in full`() {
    var time = RunningTime(from: 1_000)
    for second in UInt64(1)...200 {
      #expect(time.read(at: 1_000 * (second + 1)) == 1_000 * second)
    }
    #expect(time.read(at: 206_000) == 205_000)
  }

  @Test func `the running time does not advance while the process is stopped`() {
    var time = RunningTime(from: 1_000)
    #expect(time.read(at: 3_000) == 2_000)
    #expect(time.read(at: 3_603_000) == 2_000)
    #expect(time.read(at: 3_604_000) == 3_000)
    // The loop's time does not advance between two readings in the same iteration.
    #expect(time.read(at: 3_604_000) == 3_000)
  }
}

/// Tests the duration for which a loop polls before it blocks.
@Suite struct BusyPollTests {
  /// Returns whether the loop polls in each of several waits without events.
  private static func asks(_ waits: Int, _ busyPoll: BusyPoll) -> [Bool] {
    (0..<waits).map { _ in
      var hasAsked = false
      let hasCome = busyPoll.await {
        hasAsked = true
        return false
      }
      #expect(!hasCome)
      return hasAsked
    }
  }

  @Test func `busy polling backs off while there are no events`() {
    let busyPoll = BusyPoll()
    let asks = Self.asks(1_024, busyPoll)
    let gaps = asks.split(separator: true).map(\.count)
    #expect(gaps == [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 246])
  }

  @Test func `an event resets the backoff of busy polling`() {
    let busyPoll = BusyPoll()
    for _ in 0..<100 { #expect(busyPoll.await { true }) }
    #expect(Self.asks(4, busyPoll) == [true, false, true, false])
    // This is the second of the two polls that the last attempt cost.
    #expect(!busyPoll.await { true })
    #expect(busyPoll.await { true })
    #expect(Self.asks(3, busyPoll) == [true, false, true])
  }

  @Test func `a busy poll attempt reports whether one of its polls found an event`() {
    let busyPoll = BusyPoll()
    var times = 0
    let hasCome = busyPoll.await {
      times += 1
      return times == 2
    }
    // If the machine stalled, the duration is over after the first poll.
    #expect(hasCome == (times == 2))
  }
}
