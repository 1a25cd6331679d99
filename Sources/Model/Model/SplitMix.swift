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
    values[below(values.count)]
  }

  /// Returns a number from 0 to `limit` - 1. `limit` must be positive.
  package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Returns the seed of the stream of random numbers with the name `name`. It is the FNV-1a hash of `name`, mixed with
  /// `seed` as in SplitMix64.
  package static func seed(_ seed: UInt64, of name: String) -> UInt64 {
    var mixed = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    mixed = mixed &+ seed &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
