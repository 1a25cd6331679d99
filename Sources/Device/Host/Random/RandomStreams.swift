internal import Model

/// A device's random numbers. Each use has its own stream, so an additional draw in one place does not change
/// the others.
struct RandomStreams {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  enum Use {
    /// The stage and the guest for the numbered fault in a series.
    case fault(Int, series: String)

    /// The name of the use. Its slash distinguishes it from guests' names.
    fileprivate var name: String {
      switch self {
      case .fault(let number, let series): "fault/\(series)/\(number)"
      }
    }
  }

  /// Returns the numbers for a use, beginning with the first.
  func stream(_ use: Use) -> SplitMix { SplitMix(seed: SplitMix.seed(seed, of: use.name)) }
}
