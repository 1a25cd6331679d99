import PolicySupport
import Model
import TestSupport
import Testing

/// The engine and the naive evaluator agree on requests drawn from everything that a request can say.
@Suite("Naive evaluator: random comparison")
struct NaiveRandomTests {
  /// With each of four seeds.
  private static let count = 25_000 * thoroughness

  @Test("random requests on every channel", arguments: [1, 2, 3, 4] as [UInt64])
  func agree(seed: UInt64) {
    var source = RequestSource(seed: seed)
    var comparison = Comparison()
    for index in 0..<Self.count where !comparison.isFull {
      comparison.check(source.request(), origin: "seed \(seed), request \(index): ")
    }
    comparison.expectAgreement(on: Self.count, channels: Channel.allCases)
  }
}
