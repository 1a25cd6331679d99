internal import Policy
internal import Sharding
internal import Simulation

/// What came of the requests of a journal, of one shard or of all.
struct ReplayResults {
  let report: ReplayReport

  /// Decides the requests of pieces of a journal anew.
  ///
  /// - Throws: ``RunError`` where an event is missing between the pieces, or policies cannot be read.
  init(_ facts: ReplayFacts, _ pieces: [JournalExtract]) throws(RunError) {
    let replay = try Replay(of: facts.journal, pieces)
    // The report says what becomes of policies without apps.
    let rollout =
      facts.policies.isEmpty
      ? nil
      : Rollout(
        try PolicyArguments.documents(facts.policies, besides: [.noApps, .emptyAssignments]))
    report = try replay.report(under: rollout)
  }

  func text(_ format: TextFormat) -> String { format == .json ? report.json : report.text }
}
