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
