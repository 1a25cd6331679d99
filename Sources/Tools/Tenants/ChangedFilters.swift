internal import Directory

/// The filters of two tenants that have one id or name and different rules. The result of such a filter is a separate
/// fact in each tenant. If only the name differs, it is one fact.
struct ChangedFilters {
  /// The tenant to which a fact belongs. The raw value is the word in conditions.
  enum Side: String {
    case old, new
  }

  private struct Rules {
    /// Nil if the rule cannot be read.
    var old: DirectoryRule?
    var new: DirectoryRule?
  }

  /// By lowercase id or name.
  private let rules: [String: Rules]
  private let old: Tenant
  /// The lowercase ids of filters that have another name in the new tenant, and the same rule.
  private let renamed: Set<String>

  init(_ old: Tenant, _ new: Tenant) {
    var rules: [String: Rules] = [:]
    var renamed: Set<String> = []
    for (name, filter) in old.judge.filters {
      guard let other = new.judge.filters[name] else { continue }
      if other.text != filter.text {
        rules[name] = Rules(old: filter.rule, new: other.rule)
      } else if other.displayName != filter.displayName {
        renamed.insert(name)
      }
    }
    self.rules = rules
    self.renamed = renamed
    self.old = old
  }

  /// Returns facts of one tenant as conditions: ``the old filter `Recent iOS` is true``.
  func conditions(
    _ facts: [(fact: UnknownFact, holds: Bool)], of tenant: Tenant, _ side: Side
  ) -> [TenantCondition] {
    let conditions = tenant.conditions(facts)
    guard !rules.isEmpty || !renamed.isEmpty else { return conditions }
    return zip(facts, conditions).map { fact, condition in
      guard let name = filterName(fact.fact) else { return condition }
      if renamed.contains(name) { return old.conditions([fact])[0] }
      guard rules[name] != nil else { return condition }
      let named = { (text: String) in
        text.replacing("the filter", with: "the \(side.rawValue) filter", maxReplacements: 1)
      }
      return TenantCondition(
        fact: named(condition.fact), holds: condition.holds, text: named(condition.text))
    }
  }

  /// Returns whether some device gives the filters these results in both tenants.
  ///
  /// - Parameter device: The device as the app sees it.
  func canHold(
    _ old: [(fact: UnknownFact, holds: Bool)], _ new: [(fact: UnknownFact, holds: Bool)],
    on device: TenantDevice
  ) -> Bool {
    guard !rules.isEmpty else { return true }
    var filtered = device.filtered
    // The app's management state may differ between the tenants.
    filtered.isManaged = nil
    return old.allSatisfy { before in
      new.allSatisfy { after in
        guard let name = filterName(before.fact), before.fact == after.fact,
          let rules = rules[name], let old = rules.old, let new = rules.new
        else { return true }
        let both = DirectoryRule.and(
          before.holds ? old : .not(old), after.holds ? new : .not(new))
        return both.canBeMet(by: filtered)
      }
    }
  }

  /// Returns the lowercase id or name of the filter whose result the fact is; nil for other facts.
  private func filterName(_ fact: UnknownFact) -> String? {
    switch fact {
    case .filter(let name, _): name.lowercased()
    case .membership, .deviceMembership, .absentGroup, .role, .guest, .licence, .managedDevice: nil
    }
  }
}
