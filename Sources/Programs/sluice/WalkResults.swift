internal import Diagnostics
internal import Sharding
internal import Simulation

/// The results of the rounds of a walk, of one shard or of all.
struct WalkResults<Report: RoundReport> {
  private let facts: WalkFacts
  private let rounds: [Report]

  /// The results of rounds, in their order: none counts behind one that has failed.
  init(_ facts: WalkFacts, _ outcomes: [RoundOutcome<Report>]) {
    self.facts = facts
    rounds = outcomes.compactMap(\.report)
  }

  /// The results of all rounds of a walk.
  ///
  /// - Throws: ``RunError`` where one was not taken, and none before it has failed.
  init(_ facts: WalkFacts, whole outcomes: [RoundOutcome<Report>]) throws(RunError) {
    let failed = outcomes.firstIndex { $0.report?.failure != nil } ?? outcomes.endIndex
    guard outcomes[..<failed].allSatisfy({ $0.report != nil }) else {
      throw RunError(
        .command, "a round was not taken, although none before it has failed", rule: "merge")
    }
    self.init(facts, outcomes)
  }
}

extension WalkResults {
  /// Whether everything holds.
  var holds: Bool { rounds.allSatisfy { $0.failure == nil } }
}

extension WalkResults<WalkReport> {
  func text(_ format: TextFormat) -> String {
    let report = WalkReport(seed: facts.seed, of: rounds)
    return format == .text ? report.text(options: facts.again) : report.json
  }
}

extension WalkResults<WorldWalkReport> {
  func text(_ format: TextFormat) -> String {
    let report = WorldWalkReport(seed: facts.seed, known: facts.world?.known ?? 0, of: rounds)
    return format == .text ? report.text(of: facts.world?.file ?? "") : report.json
  }
}
