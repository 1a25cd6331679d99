import EventLoop
import Testing

@Suite(.timeLimit(.minutes(15))) struct TimerTests {
  @Test func aTimerFiresOnce() throws {
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

  @Test func aTimerThatIsDueAtOnceIsAnEventToWaitFor() throws {
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

  @Test func aTimerThatRunsTheLoopItselfIsAnEventToWaitFor() throws {
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

  @Test func aRepeatingTimerFiresUntilItIsStopped() throws {
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

  @Test func aStoppedTimerDoesNotFireUntilItStartsAgain() throws {
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

  @Test func startingAgainReplacesTheDelay() throws {
    try withLoop { loop in
      var count = 0
      let timer = try Timer(on: loop) { count += 1 }
      timer.start(after: 3_600_000)
      timer.start(after: 0)
      loop.run()
      #expect(count == 1)
    }
  }

  @Test func timersFireInTheOrderOfTheirDelays() throws {
    try withLoop { loop in
      var order: [UInt64] = []
      for delay in [20, 1, 10] as [UInt64] {
        try Timer(on: loop) { order.append(delay) }.start(after: delay)
      }
      loop.run()
      #expect(order == [1, 10, 20])
    }
  }

  @Test func aTimerMayCloseItself() throws {
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

  @Test func aClosedTimerCannotBeStarted() throws {
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
