internal import Synchronization

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
