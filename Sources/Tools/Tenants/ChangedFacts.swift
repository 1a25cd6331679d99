internal import Directory
internal import GraphDocuments
internal import Output

/// The filters and groups that have the same id or name in two tenants, but different rules. The rules of a group
/// include the rules of all groups on which its members depend.
///
/// The result of such a filter is one fact in the old tenant and another fact in the new tenant. The same applies to
/// the membership in such a group. A filter that differs only in its name has one result for both tenants.
struct ChangedFacts {
  /// The tenant to which a fact belongs. The raw value occurs in the text of conditions.
  enum Side: String {
    case old, new
  }

  private struct Rules {
    /// The old tenant's rule; nil if it cannot be read.
    var old: DirectoryRule?
    var new: DirectoryRule?
  }

  /// The rules of the filters with different rules, keyed by the filter's lowercase id or name.
  private let rules: [String: Rules]
  private let old: Tenant
  private let new: Tenant
  /// The lowercase ids of filters with the same rule but another name in the new tenant.
  private let renamed: Set<String>
  private let origins: [Side: [Int: String]]

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
    origins = [
      .old: Self.origins(.old, of: old, comparing: new.directory),
      .new: Self.origins(.new, of: new, comparing: old.directory),
    ]
  }

  /// Returns facts of one tenant as conditions, such as ``the old filter `Recent iOS` is true`` or ``by the old rule,
  /// anna@contoso.com is in `Sales` ``.
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
        guard let origin = origins[side]?[group] else { return condition }
        return condition.worded { "\(origin), \($0)" }
      case .deviceMembership, .absentGroup, .roles, .guest, .licence, .managedDevice:
        return condition
      }
    }
  }

  /// Returns the beginning of a clause for each group with rules that differ between the tenants: `by the old rule`,
  /// ``by the old rule of `Inner` `` if the members depend on the rule of another group, or `by the old members` if
  /// only the other tenant has the rule.
  private static func origins(
    _ side: Side, of tenant: Tenant, comparing other: Directory
  ) -> [Int: String] {
    let own = tenant.directory
    return tenant.namedGroups.reduce(into: [:]) { origins, group in
      guard let partner = other.group(own.reference(to: group)) else { return }
      let rules = own.rules(deciding: group)
      let otherRules = other.rules(deciding: partner)
      guard rules.mapValues(\.text) != otherRules.mapValues(\.text) else { return }
      let changed = rules.filter { $0.value.text != otherRules[$0.key]?.text }.map(\.value.group)
        .sorted()
      let names = changed.map { "`\(own.groups[$0].displayName)`" }
      origins[group] =
        if changed == [group] {
          "by the \(side.rawValue) rule"
        } else if names.isEmpty {
          // Only the other tenant has some of the rules.
          "by the \(side.rawValue) members"
        } else {
          "by the \(side.rawValue) \(names.count == 1 ? "rule" : "rules") of \(ListFormat.all(of: names))"
        }
    }
  }

  /// Returns the changed rules on which membership in `group` depends in at least one of the tenants.
  func changedRules(of group: GroupReference) -> [ChangedRule] {
    let sides = [old.directory, new.directory].map { directory in
      directory.group(group).map(directory.rules(deciding:)) ?? [:]
    }
    return Set(sides.flatMap(\.keys)).sorted().compactMap { key in
      let (before, after) = (sides[0][key], sides[1][key])
      guard before?.text != after?.text else { return nil }
      return ChangedRule(old: before?.group, new: after?.group)
    }
  }

  /// Returns whether a single device can have both the filter results in `old`, under the old tenant's rules, and those
  /// in `new`, under the new tenant's rules. Each filter is checked separately.
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

  /// Returns the lowercase id or name of a filter if the fact is the filter's result; otherwise nil.
  private func filterName(_ fact: UnknownFact) -> String? {
    switch fact {
    case .filter(let name, _): name.lowercased()
    case .membership, .deviceMembership, .absentGroup, .roles, .guest, .licence, .managedDevice: nil
    }
  }
}

/// A group whose rule differs between two tenants or exists in only one. The properties are its indices in the
/// directories. An index is nil if the examined membership does not depend on this group in that tenant.
struct ChangedRule: Hashable {
  var old: Int?
  var new: Int?
}

extension Directory {
  fileprivate struct Rule {
    var group: Int
    var text: String
  }

  /// Returns the rules on which membership in a group depends, keyed by the lowercase id or name of the rule's group.
  fileprivate func rules(deciding group: Int) -> [String: Rule] {
    groups(usedBy: [group]).reduce(into: [:]) { rules, used in
      guard let text = membershipRule(of: used) else { return }
      rules[groups[used].id ?? groups[used].displayName.lowercased()] = Rule(
        group: used, text: text)
    }
  }

  fileprivate func reference(to group: Int) -> GroupReference {
    let id = groups[group].id
    return GroupReference(id: id, name: id == nil ? groups[group].displayName : nil)
  }
}

extension TenantCondition {
  fileprivate func worded(_ words: (String) -> String) -> TenantCondition {
    TenantCondition(fact: words(fact), holds: holds, text: words(text))
  }
}
