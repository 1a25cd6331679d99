internal import Directory
internal import GraphDocuments

/// The filters and dynamic groups of two tenants that have one id or name and different rules. The result of such a
/// filter, and membership of such a group, are separate facts in each tenant. If only a filter's name differs, its
/// result is one fact.
struct ChangedFacts {
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
  private let new: Tenant
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
    self.new = new
  }

  /// Returns facts of one tenant as conditions: ``the old filter `Recent iOS` is true``, ``by the old rule, anna@contoso.com
  /// is in `Sales` ``.
  func conditions(
    _ facts: [(fact: UnknownFact, holds: Bool)], of tenant: Tenant, _ side: Side
  ) -> [TenantCondition] {
    zip(facts, tenant.conditions(facts)).map { fact, condition in
      switch fact.fact {
      case .filter(let name, _):
        if renamed.contains(name.lowercased()) { return old.conditions([fact])[0] }
        guard rules[name.lowercased()] != nil else { return condition }
        return condition.worded {
          $0.replacing("the filter", with: "the \(side.rawValue) filter", maxReplacements: 1)
        }
      case .membership(let group):
        guard hasChangedRule(group, of: tenant, side) else { return condition }
        return condition.worded { "by the \(side.rawValue) rule, \($0)" }
      case .deviceMembership, .absentGroup, .role, .guest, .licence, .managedDevice:
        return condition
      }
    }
  }

  /// Returns whether a dynamic group has another rule in the other tenant.
  private func hasChangedRule(_ group: Int, of tenant: Tenant, _ side: Side) -> Bool {
    let other =
      switch side {
      case .old: new.directory
      case .new: old.directory
      }
    let entry = tenant.directory.groups[group]
    let reference = GroupReference(
      id: entry.id, name: entry.id == nil ? entry.displayName : nil)
    guard let rule = tenant.directory.membershipRule(of: group),
      let otherRule = other.group(reference).flatMap({ other.membershipRule(of: $0) })
    else { return false }
    return rule != otherRule
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

extension TenantCondition {
  /// Returns the condition in other words.
  fileprivate func worded(_ words: (String) -> String) -> TenantCondition {
    TenantCondition(fact: words(fact), holds: holds, text: words(text))
  }
}
