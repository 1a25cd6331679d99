import EventLoop
import Testing

/// A loop whose time passes by hand.
@Suite struct ManualTimeTests {
  private func withLoop(_ body: (EventLoop) throws -> Void) throws {
    let loop = try EventLoop(clock: .manual)
    defer { loop.close() }
    try body(loop)
  }

  @Test func `no timer fires before its time is said to have come`() throws {
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

  @Test func `timers fire in the order of their times, those that they start included`() throws {
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

  @Test func `a repeating timer fires each time until it is stopped`() throws {
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

  @Test func `starting again replaces the time, and a closed timer has none`() throws {
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
