internal import JSON
internal import Sharding
internal import Simulation

/// The results of criteria, of one shard or of all.
struct CriteriaResults {
  let certificate: CriteriaCertificate

  /// The results that one shard has.
  ///
  /// - Parameter checks: one for each piece of the plan; nil where it is another shard's.
  init(_ plan: Plan, _ checks: [CriteriaCertificate.Check?], duration: Duration) {
    let facts = CriteriaFacts(of: plan)
    let checked = zip(facts.checked, checks).compactMap { criterion, check in
      check.map { (criterion, $0) }
    }
    // What other shards check is no affair of this one.
    let others = Set(facts.checked).subtracting(checked.map(\.0))
    certificate = CriteriaCertificate(
      of: Criterion.all.filter { facts.criteria.contains($0.id) && !others.contains($0.id) },
      for: facts.bundle, checked, duration: duration)
  }

  /// The results of all shards. The time is that of all checks together.
  init(_ plan: Plan, _ checks: [CriteriaCertificate.Check]) {
    self.init(plan, checks, duration: checks.reduce(.zero) { $0 + $1.duration })
  }
}

/// What certificates say, and no check tells.
struct CriteriaFacts {
  /// The ids of the criteria.
  var criteria: Set<String>
  /// The id of the criterion that each piece checks.
  var checked: [String]
  /// The bundle id of the app under test; nil: the simulator's own apps.
  var bundle: String?

  init(criteria: Set<String>, checked: [String], bundle: String?) {
    self.criteria = criteria
    self.checked = checked
    self.bundle = bundle
  }

  /// The facts in a plan.
  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    criteria = Set((facts?["criteria"]?.array ?? []).compactMap(\.string))
    checked = (facts?["checked"]?.array ?? []).compactMap(\.string)
    bundle = facts?["bundle"]?.string
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.strings("criteria", criteria.sorted())
    writer.strings("checked", checked)
    writer.member("bundle", bundle)
  }
}
