internal import Host
package import JSON
internal import Synchronization

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

/// The report of a round, which may have failed. It can be written, and read again.
package protocol RoundReport: Sendable {
  /// The failure that ended the round; nil: everything held.
  var failure: WalkReport.Failure? { get }

  /// Writes all that ``init(_:)`` reads, as members of a JSON object.
  func writeMembers(to writer: inout JSONWriter)

  /// The report that ``writeMembers(to:)`` has written; nil where the object is something else.
  init?(_ object: JSONValue)
}

extension WalkReport: RoundReport {}
extension WorldWalkReport: RoundReport {}

/// The first round of a walk that has failed, of those that several threads take: no later one counts.
package final class FirstFailure: Sendable {
  private let number = Mutex<Int?>(nil)

  /// No round has failed.
  package init() {}

  /// Takes a round, but where an earlier one has failed.
  ///
  /// - Returns: the report of the round; nil where it was not taken.
  /// - Throws: what `body` throws.
  package func take<Report: RoundReport>(
    _ round: Int, _ body: () throws(RunError) -> Report
  ) throws(RunError) -> Report? {
    guard number.withLock({ $0.map { $0 > round } ?? true }) else { return nil }
    let report = try body()
    if report.failure != nil { number.withLock { $0 = min($0 ?? round, round) } }
    return report
  }
}

// MARK: - Shorter walks

/// Removes from a list all elements that it fails without (delta debugging).
///
/// Source: Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input" (2002),
/// algorithm ddmin.
struct Shrinker<Element> {
  /// The number of lists that may be tried.
  let limit: Int
  /// A closure that tells whether a list fails in the same way.
  let fails: ([Element]) -> Bool

  /// Removes elements while the list still fails.
  ///
  /// - Parameter elements: a list that fails.
  /// - Returns: a list that fails, and none of whose elements can be left out, unless the limit
  ///   was reached before.
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
  /// All elements but the `part`th of `parts` parts of about the same size.
  fileprivate func without(_ part: Int, of parts: Int) -> [Element] {
    let start = count * part / parts
    let end = count * (part + 1) / parts
    return Array(self[..<start] + self[end...])
  }
}
