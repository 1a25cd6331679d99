internal import AppConfiguration
internal import Directory
internal import Enrollment
internal import GraphDocuments
internal import Policy

/// Determines why a document reaches a user in only one tenant.
struct DiffReasons {
  private let old: Tenant
  private let new: Tenant
  private let app: String
  private let audience: TenantDiff.Audience
  private let changed: ChangedFacts

  init(
    old: Tenant, new: Tenant, _ app: String, _ audience: TenantDiff.Audience,
    comparing changed: ChangedFacts
  ) {
    self.old = old
    self.new = new
    self.app = app
    self.audience = audience
    self.changed = changed
  }

  /// A document in one tenant, with the properties that are compared between the tenants.
  private struct Side {
    let tenant: Tenant
    let user: Int
    let name: String
    let file: String
    let targeting: Targeting
    let mobileApps: [String]
    let assignments: [Assignment]
    let alternatives: [Assumptions.Alternative<TenantAnswer.Delivery>]?
  }

  func cause(policy pair: DocumentPair) -> TenantDiffCause {
    let side = { (tenant: Tenant, index: Int?, user: Int) in
      index.map { index in
        let policy = tenant.policies[index]
        let question = question(tenant, user)
        return Side(
          tenant: tenant, user: user, name: policy.displayName, file: policy.file,
          targeting: policy.targeting, mobileApps: [], assignments: policy.assignments ?? [],
          alternatives: Assumptions.explore { question.policy(index, &$0) })
      }
    }
    let user = audience.users[0]
    return cause(side(old, pair.old, user.old), side(new, pair.new, user.new))
  }

  func cause(configuration pair: DocumentPair) -> TenantDiffCause {
    let side = { (tenant: Tenant, index: Int?, user: Int) in
      index.map { index in
        let document = tenant.configurations[index]
        let question = question(tenant, user)
        return Side(
          tenant: tenant, user: user, name: document.displayName, file: document.file,
          targeting: document.targeting, mobileApps: document.mobileApps,
          assignments: document.assignments ?? [],
          alternatives: Assumptions.explore { question.configuration(index, &$0) })
      }
    }
    let user = audience.users[0]
    return cause(side(old, pair.old, user.old), side(new, pair.new, user.new))
  }

  private func question(_ tenant: Tenant, _ user: Int) -> TenantQuestion<TenantUser> {
    TenantQuestion(
      tenant: tenant, user: TenantUser(user, of: tenant), app: app, device: audience.devices[0])
  }

  private func cause(_ before: Side?, _ after: Side?) -> TenantDiffCause {
    let differences: Differences =
      if let before, let after {
        differences(before, after)
      } else {
        Differences(kinds: [before == nil ? .added : .removed])
      }
    return TenantDiffCause(
      kinds: differences.kinds, document: after?.name ?? before?.name ?? "",
      rules: differences.rules, old: before.map { text(of: $0, .old) },
      new: after.map { text(of: $0, .new) })
  }

  private func text(of side: Side, _ version: ChangedFacts.Side) -> String {
    let delivery = side.alternatives?.first { alternative in
      TenantCondition.areCompatible(
        audience.conditions + changed.conditions(alternative.facts, of: side.tenant, version))
    }
    return delivery.map {
      side.tenant.text(of: $0.answer, side.assignments, side.file, side.user)
    } ?? "depends on too many unknown facts"
  }

  private struct Differences {
    var kinds: [TenantDiffCause.Kind] = []
    var rules: [TenantDiffCause.RuleChange] = []
  }

  private func differences(_ before: Side, _ after: Side) -> Differences {
    var found = Differences()
    if before.targeting != after.targeting || before.mobileApps != after.mobileApps {
      found.kinds.append(.targeting)
    }
    let targets = [before, after].map { side in
      Set(side.assignments.map { "\(described($0, in: side.tenant))" })
    }
    if targets[0] != targets[1] { found.kinds.append(.assignment) }
    let filters = changedFilters((before.assignments + after.assignments).compactMap(\.filter))
    if !filters.isEmpty {
      found.kinds.append(.filter)
      found.rules += filters
    }
    let groups = Set((before.assignments + after.assignments).compactMap(\.group))
    let (rules, isOtherwise) = changedMemberships(among: groups)
    if !rules.isEmpty {
      found.kinds.append(.membershipRule)
      found.rules += rules
    }
    if isOtherwise { found.kinds.append(.membership) }
    if old.directory.isLicensed(before.user) != new.directory.isLicensed(after.user) {
      found.kinds.append(.licence)
    }
    if found.kinds.isEmpty { found.kinds = [.managementState] }
    return found
  }

  private func changedFilters(
    _ uses: [Assignment.Filter]
  ) -> [TenantDiffCause.RuleChange] {
    Set(uses.map { $0.name.lowercased() }).sorted().compactMap { name in
      let filters = [old.judge.filters[name], new.judge.filters[name]]
      guard filters[0]?.text != filters[1]?.text else { return nil }
      return TenantDiffCause.RuleChange(
        name: filters.compactMap(\.self).last?.displayName ?? name,
        old: filters[0]?.source.description, new: filters[1]?.source.description)
    }
  }

  /// Returns the changed group rules that may make a conditional access policy evaluate the user differently.
  func rules(access pair: DocumentPair) -> [TenantDiffCause.RuleChange] {
    let policies =
      [pair.old.map { old.conditionalAccess[$0] }, pair.new.map { new.conditionalAccess[$0] }]
      .compactMap(\.self)
    let principals = policies.flatMap { $0.principals.included + $0.principals.excluded }
    return changedMemberships(among: Set(principals.flatMap(\.members).compactMap(\.group))).rules
  }

  /// Returns the changed rules that make the user's memberships in `groups` differ between the tenants. `isOtherwise`
  /// is true if a membership differs although no rule has changed.
  private func changedMemberships(
    among groups: Set<GroupReference>
  ) -> (rules: [TenantDiffCause.RuleChange], isOtherwise: Bool) {
    let user = audience.users[0]
    let rules = groups.filter {
      membership(of: user.old, in: $0, old.directory)
        != membership(of: user.new, in: $0, new.directory)
    }.map(changedRules(of:))
    let sorted = Set(rules.joined()).sorted {
      ($0.name, $0.old ?? "", $0.new ?? "") < ($1.name, $1.old ?? "", $1.new ?? "")
    }
    return (sorted, rules.contains(where: \.isEmpty))
  }

  /// Returns the changed rules that make the user's membership in a group differ between the tenants. If the user is
  /// known to be a member in one tenant, returns only the rules that make the user a member.
  private func changedRules(of group: GroupReference) -> [TenantDiffCause.RuleChange] {
    let user = audience.users[0]
    let before = groups(containing: user.old, in: group, old.directory)
    let after = groups(containing: user.new, in: group, new.directory)
    let rules = changed.changedRules(of: group).filter { rule in
      before == nil && after == nil
        || rule.old.map { before?.contains($0) ?? false } ?? false
        || rule.new.map { after?.contains($0) ?? false } ?? false
    }
    return rules.map { rule in
      let sides = [
        rule.old.map { old.directory.groups[$0] }, rule.new.map { new.directory.groups[$0] },
      ]
      return TenantDiffCause.RuleChange(
        name: sides.compactMap(\.self).last?.displayName ?? "",
        old: sides[0]?.source.description, new: sides[1]?.source.description)
    }
  }

  /// Returns the group that directly contains the user, which is `group` or is nested in it, and the groups on which its
  /// rule depends. Nil if the user is not known to be a member of `group`.
  private func groups(
    containing user: Int, in group: GroupReference, _ directory: Directory
  ) -> Set<Int>? {
    guard let index = directory.group(group),
      case .member(let path) = directory.membership(of: user, in: index)
    else { return nil }
    return directory.isDynamic(path[0]) ? directory.groups(usedBy: [path[0]]) : [path[0]]
  }

  private func described(_ assignment: Assignment, in tenant: Tenant) -> String {
    let target =
      switch assignment.target {
      case .group(let group): "group \(name(group, in: tenant))"
      case .exclusion(let group): "exclusion \(name(group, in: tenant))"
      case .allLicensedUsers: "all users"
      case .allDevices: "all devices"
      case .other(let name): name
      }
    return target + (assignment.filter.map { " \($0.mode.rawValue) \($0.name.lowercased())" } ?? "")
  }

  private func name(_ group: GroupReference, in tenant: Tenant) -> String {
    tenant.directory.group(group).map { index in
      let group = tenant.directory.groups[index]
      return group.id ?? group.displayName
    } ?? group.text
  }

  private func membership(
    of user: Int, in group: GroupReference, _ directory: Directory
  ) -> Bool? {
    guard let group = directory.group(group) else { return nil }
    return switch directory.membership(of: user, in: group) {
    case .member: true
    case .notMember: false
    case .unknown: nil
    }
  }
}
