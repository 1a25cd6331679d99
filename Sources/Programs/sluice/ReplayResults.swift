internal import Policy
internal import Scenario
internal import Sharding
internal import Simulation

/// What came of the requests of a journal, of one shard or of all.
struct ReplayResults {
  let report: ReplayReport

  /// Decides the requests of pieces of a journal again.
  ///
  /// - Throws: ``RunError`` where an event is missing between the pieces, or policies cannot be read.
  init(_ facts: ReplayFacts, _ pieces: [JournalExtract]) throws(RunError) {
    try self.init(facts.journal, pieces, under: Self.rollout(of: facts.policies))
  }

  /// Decides the requests of pieces of a journal again.
  ///
  /// - Parameters:
  ///   - rollout: the policies in place of the recorded ones; nil: the recorded ones.
  ///   - name: the name of the journal's case for the report; nil: none.
  /// - Throws: ``RunError`` where an event is missing between the pieces, or facts are none.
  init(
    _ journal: String, _ pieces: [JournalExtract], under rollout: Rollout?,
    naming name: CaseName? = nil
  ) throws(RunError) {
    let replay = try Replay(of: journal, pieces)
    var report = try replay.report(under: rollout)
    report.caseName = name
    self.report = report
  }

  /// The policies in place of the recorded ones; nil where none are named.
  static func rollout(of policies: [String]) throws(RunError) -> Rollout? {
    // The report says what becomes of policies without apps.
    policies.isEmpty
      ? nil
      : Rollout(try PolicyArguments.documents(policies, besides: [.noApps, .emptyAssignments]))
  }

  func text(_ format: TextFormat) -> String { format == .json ? report.json : report.text }
}
