internal import JSON
internal import Sharding

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
