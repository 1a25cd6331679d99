/// The random numbers that a device draws: for each use a stream of its own, so that one more draw in one place moves
/// no other.
struct RandomStreams {
  private let seed: UInt64

  /// Creates the streams that follow from the device's seed.
  init(seed: UInt64) { self.seed = seed }

  /// A use of random numbers.
  enum Use {
    /// The point, and the guest, of the fault of that number in a series.
    case fault(Int, series: String)

    /// The name of the use, which is no guest's: guests' names hold no slash.
    fileprivate var name: String {
      switch self {
      case .fault(let number, let series): "fault/\(series)/\(number)"
      }
    }
  }

  /// The numbers for a use, from the first on.
  func stream(_ use: Use) -> SplitMix { SplitMix(seed: guestSeed(seed, guest: use.name)) }
}
