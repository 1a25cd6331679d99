import Testing

@testable import EventLoop

/// The moment for which a loop stays awake.
@Suite struct AlertnessTests {
  /// Whether the loop asks for events, in each of a number of waits that bring none.
  private static func asks(_ waits: Int, _ alertness: Alertness) -> [Bool] {
    (0..<waits).map { _ in
      var hasAsked = false
      let hasCome = alertness.await {
        hasAsked = true
        return false
      }
      #expect(!hasCome)
      return hasAsked
    }
  }

  @Test func `the more often nothing comes, the more waits are slept through`() {
    let alertness = Alertness()
    let asks = Self.asks(1_024, alertness)
    let gaps = asks.split(separator: true).map(\.count)
    #expect(gaps == [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 246])
  }

  @Test func `who hears something stays awake`() {
    let alertness = Alertness()
    for _ in 0..<100 { #expect(alertness.await { true }) }
    #expect(Self.asks(4, alertness) == [true, false, true, false])
    // The second of the two that the last attempt cost.
    #expect(!alertness.await { true })
    #expect(alertness.await { true })
    #expect(Self.asks(3, alertness) == [true, false, true])
  }

  @Test func `it is asked again and again for a moment`() {
    let alertness = Alertness()
    var times = 0
    let hasCome = alertness.await {
      times += 1
      return times == 2
    }
    // On a machine that stood still, the moment is over after the first time.
    #expect(hasCome == (times == 2))
  }
}
