internal import Host

/// A round of a walk, on a device of its own: the steps that are to be taken, and the seed that draws them.
package struct PlannedRound: Sendable {
  /// The number of steps.
  package var length: Int
  var seed: UInt64

  /// The rounds of a walk of `steps` steps. The first has the walk's own seed, so that any round can be had as a walk of
  /// its own.
  static func rounds(seed: UInt64, steps: Int, length: Int) -> [PlannedRound] {
    var seeds = SplitMix(seed: seed)
    var next = seed
    return stride(from: 0, to: steps, by: length).map { start in
      defer { next = seeds.next() }
      return PlannedRound(length: min(length, steps - start), seed: next)
    }
  }
}
