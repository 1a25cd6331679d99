internal import Model
package import Simulation
internal import Synchronization

/// A round of a walk on its own device, defined by the number of steps and the seed that generates them.
package struct PlannedRound: Sendable {
  package var length: Int
  var seed: UInt64

  /// Returns the rounds of a walk. A walk's first round uses the walk's seed, so each round can be repeated as a
  /// separate walk with the round's seed.
  static func rounds(seed: UInt64, steps: Int, length: Int) -> [PlannedRound] {
    var seeds = SplitMix(seed: seed)
    var next = seed
    return stride(from: 0, to: steps, by: length).map { start in
      defer { next = seeds.next() }
      return PlannedRound(length: min(length, steps - start), seed: next)
    }
  }
}

/// The first failed round of a walk with rounds on several threads. Later rounds are skipped.
package final class FirstFailure: Sendable {
  private let number = Mutex<Int?>(nil)

  package init() {}

  /// Runs a round. Skips it if an earlier round has failed.
  ///
  /// - Returns: The report of the round; nil if it was skipped.
  /// - Throws: The error of `body`.
  package func run(
    _ round: Int, _ body: () throws(RunError) -> WalkReport
  ) throws(RunError) -> WalkReport? {
    guard number.withLock({ $0.map { $0 > round } ?? true }) else { return nil }
    let report = try body()
    if report.failure != nil { number.withLock { $0 = min($0 ?? round, round) } }
    return report
  }
}

// MARK: Shrinking

/// Delta debugging: reduces a failing list to elements that the failure needs.
///
/// Source: Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input" (2002), algorithm ddmin.
struct Shrinker<Element> {
  /// The maximum number of lists that are tried.
  let limit: Int
  /// Returns whether a list fails in the same way as the original list.
  let fails: ([Element]) -> Bool

  /// Removes elements while the list still fails.
  ///
  /// - Parameter elements: A failing list.
  /// - Returns: A failing list. If the limit was not reached, no element can be removed from it.
  func shrink(_ elements: [Element]) -> [Element] {
    var rest = elements
    var parts = 2
    var tries = 0
    while rest.count > 1, tries < limit {
      var smaller: [Element]?
      for part in 0..<parts where smaller == nil && tries < limit {
        let list = rest.without(part, of: parts)
        tries += 1
        if fails(list) { smaller = list }
      }
      if let smaller {
        rest = smaller
        parts = max(parts - 1, 2)
      } else if parts < rest.count {
        parts = min(parts * 2, rest.count)
      } else {
        break
      }
    }
    return rest
  }
}

extension Array {
  /// Returns all elements except the elements in part number `part`, if the array is divided into `parts` parts of
  /// about equal size.
  fileprivate func without(_ part: Int, of parts: Int) -> [Element] {
    let start = count * part / parts
    let end = count * (part + 1) / parts
    return Array(self[..<start] + self[end...])
  }
}
