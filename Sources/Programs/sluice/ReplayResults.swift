internal import JSON
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

/// What a replay is told beside the journal.
struct ReplayFacts: Sendable {
  /// The path of the journal.
  var journal: String
  /// The paths of policies in place of the recorded ones; empty: the recorded ones.
  var policies: [String]

  init(journal: String, policies: [String]) {
    self.journal = journal
    self.policies = policies
  }

  /// The facts in a plan.
  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    journal = facts?["journal"]?.string ?? ""
    policies = (facts?["policies"]?.array ?? []).compactMap(\.string)
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("journal", journal)
    writer.strings("policies", policies)
  }
}
