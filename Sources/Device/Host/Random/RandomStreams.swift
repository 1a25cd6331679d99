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

/// Random numbers, the same for the same seed.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (SplitMix64).
package struct SplitMix {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The next number as an element of `values`, which must not be empty.
  package mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(next() % UInt64(values.count))]
  }
}
