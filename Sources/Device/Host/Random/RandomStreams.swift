/// A device's random numbers. Each use has its own stream, so an additional draw in one place does not change
/// the others.
struct RandomStreams {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  enum Use {
    /// The point and the guest of the numbered fault in a series.
    case fault(Int, series: String)

    /// The name of the use. Its slash keeps it different from guests' names.
    fileprivate var name: String {
      switch self {
      case .fault(let number, let series): "fault/\(series)/\(number)"
      }
    }
  }

  /// Returns the numbers for a use, beginning with the first.
  func stream(_ use: Use) -> SplitMix { SplitMix(seed: guestSeed(seed, guest: use.name)) }
}

/// A deterministic random number generator.
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

  /// Picks an element of `values`, which must not be empty.
  package mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(next() % UInt64(values.count))]
  }
}
