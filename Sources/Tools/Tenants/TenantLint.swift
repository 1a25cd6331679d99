internal import AppConfiguration
internal import Directory
internal import Encodings
internal import Enrollment
internal import GraphDocuments
package import Output
internal import Policy

/// A rule about a tenant's assignments.
package enum TenantRule: String, FindingRule, CaseIterable {
  /// The assignments name a group that is not in the export.
  case missingGroup
  /// The assignments name a filter that is not in the export.
  case missingFilter
  case emptyGroup
  /// A group that no document uses.
  case unusedGroup
  /// A filter for managed apps that no document uses.
  case unusedFilter
  /// A target without effect on documents that are assigned to users.
  case allDevices
  /// A group to which a document is assigned that all licensed users get.
  case redundantAssignment
  /// An excluded group without any user whom the document includes.
  case redundantExclusion
  /// Members of a group with an assignment who have no licence.
  case unlicensedMembers
  case assignedToNobody
  /// A filter that is true on no iPhone.
  case filterNeverTrue
  /// A filter for managed devices on an assignment for apps, or the other way round.
  case otherFilterKind
  /// Users without the policy that conditional access requires.
  case lockOut
  /// Users who, depending on unknown facts, lack the policy that conditional access requires.
  case possibleLockOut
  /// Users without any policy in an app for which others have one.
  case unprotectedUsers
  /// Policies that differ in a setting for one user.
  case differingPolicies
  /// An app with a configuration and without a policy.
  case configurationWithoutPolicy
  /// Users with a policy on managed devices only, or on others only.
  case deviceGap

  /// A warning if users are probably worse off than intended, otherwise a note.
  package var severity: Severity {
    switch self {
    case .lockOut, .unprotectedUsers, .assignedToNobody, .filterNeverTrue, .allDevices,
      .otherFilterKind, .deviceGap, .emptyGroup:
      .warning
    case .missingGroup, .missingFilter, .unusedGroup, .unusedFilter, .redundantAssignment,
      .redundantExclusion, .unlicensedMembers, .possibleLockOut, .differingPolicies,
      .configurationWithoutPolicy:
      .note
    }
  }

  /// The finding in one sentence.
  package var summary: String {
    switch self {
    case .missingGroup: "An assignment names a group that the export does not contain."
    case .missingFilter: "An assignment names a filter that the export does not contain."
    case .emptyGroup: "A group with an assignment has no members."
    case .unusedGroup: "No document uses a group."
    case .unusedFilter: "No document uses a filter for managed apps."
    case .allDevices: "All devices are the target of a document that is assigned to users only."
    case .redundantAssignment: "A document for all licensed users is also assigned to a group."
    case .redundantExclusion: "A document excludes a group without any user whom it includes."
    case .unlicensedMembers: "A group with an assignment has members without a licence."
    case .assignedToNobody: "A document reaches no user."
    case .filterNeverTrue: "A filter is true on no iPhone."
    case .otherFilterKind: "A filter is of another kind than the document needs."
    case .lockOut: "Conditional access demands a policy that users do not get."
    case .possibleLockOut:
      "Conditional access demands a policy that users may not get, depending on a filter or an unknown fact."
    case .unprotectedUsers: "Users have no policy in an app for which others have one."
    case .differingPolicies: "Several policies with different values reach one user."
    case .configurationWithoutPolicy: "An app has a configuration, but no policy."
    case .deviceGap: "Users have a policy in an app on one kind of device only."
    }
  }

  /// The remedy in one sentence.
  package var help: String {
    switch self {
    case .missingGroup: "Export the group with its members, or describe it in a directory file."
    case .missingFilter: "Also export the assignment filters."
    case .emptyGroup: "Add members, or remove the assignment."
    case .unusedGroup: "Leave it out of the export if it has no use, or assign a document to it."
    case .unusedFilter: "Remove the filter, or use it in an assignment."
    case .allDevices: "Assign the document to groups of users, or to all users."
    case .redundantAssignment: "Remove the assignment to the group, or that to all users."
    case .redundantExclusion:
      "Remove the exclusion, unless it is a precaution for later assignments."
    case .unlicensedMembers: "Give the users a licence for Intune, or confirm that they need none."
    case .assignedToNobody: "Assign the document to a group that has members, or remove it."
    case .filterNeverTrue: "Correct the rule; `sluice tenant who --user --app` shows what it reads."
    case .otherFilterKind: "Use a filter for managed apps with policies and configurations of apps."
    case .lockOut: "Assign an app protection policy for the app to these users."
    case .possibleLockOut:
      "Assign a policy without the condition, or confirm that the others are to be locked out."
    case .unprotectedUsers: "Assign a policy to these users, or confirm that they need none."
    case .differingPolicies:
      "The most restrictive value counts; make the policies agree or disjoint."
    case .configurationWithoutPolicy:
      "Add the app to a policy if it handles the organisation's data."
    case .deviceGap: "Target a policy at the other kind of device as well."
    }
  }
}

extension Assignment {
  /// Returns whether an assignment to all users has the effect of another one, to a group, or a stronger one.
  fileprivate func covers(_ other: Assignment) -> Bool {
    guard filter != other.filter else { return true }
    // Filters to exclude decide first, then assignments without a filter.
    return switch filter?.mode {
    case nil, .exclude: other.filter?.mode != .exclude
    case .include: false
    }
  }
}

extension Tenant {
  /// Returns what looks wrong with the tenant's assignments, in the order of files.
  ///
  /// - Parameter device: The device of all users; nil for an unmanaged and a managed one about which nothing else is
  ///   known.
  package func lint(on device: TenantDevice? = nil) -> [Finding<TenantRule>] {
    var lint = TenantLint(tenant: self, devices: device.map { [$0] } ?? TenantDevice.kinds)
    lint.run()
    return lint.findings.sorted { $0.diagnostic.precedes($1.diagnostic) }
  }

  /// Returns whether a user can meet an enabled conditional access policy only with an app
  /// protection policy.
  func isDemandingPolicy(_ result: TenantAnswer.Result<ConditionalAccessPolicy.Judgement>) -> Bool {
    conditionalAccess[result.document].needsAppProtection
      && (result.alternatives ?? []).allSatisfy { $0.answer.applies == true }
  }
}

extension ConditionalAccessPolicy {
  /// Whether the policy is enabled, and an app without an app protection policy cannot meet it.
  var needsAppProtection: Bool {
    guard state == .enabled, controls.contains(.compliantApplication) else { return false }
    return switch self.operator {
    case .and: true
    case .or: controls.count == 1
    }
  }
}

private struct TenantLint {
  let tenant: Tenant
  /// The devices on which users are examined; at least one.
  private let devices: [TenantDevice]
  /// The members of the groups that documents name, by the groups' indices.
  private let extents: [Int: Directory.Extent]
  /// The users without a licence, by their indices.
  private let unlicensed: [Int]
  var findings: [Finding<TenantRule>] = []

  init(tenant: Tenant, devices: [TenantDevice]) {
    self.tenant = tenant
    self.devices = devices
    unlicensed = tenant.directory.users.indices.filter { tenant.directory.isLicensed($0) == false }
    extents = tenant.directory.extents(of: tenant.namedGroups)
  }

  mutating func run() {
    for policy in tenant.policies {
      check(
        policy.assignments ?? [], of: "policy `\(policy.displayName)`", policy.file,
        isForUsers: true)
    }
    for document in tenant.configurations {
      check(
        document.assignments ?? [], of: "configuration `\(document.displayName)`", document.file,
        isForUsers: document.channel == .managedApps)
    }
    checkApps()
    checkUse()
    guard !tenant.directory.users.isEmpty else { return }
    checkUsers()
  }

  private mutating func add(
    _ rule: TenantRule, _ file: String, _ position: Position?, _ message: String
  ) {
    findings.append(Finding(rule, file: file, at: position, message))
  }

  // MARK: Assignments

  private mutating func check(
    _ assignments: [Assignment], of document: String, _ file: String, isForUsers: Bool
  ) {
    for assignment in assignments {
      if case .allDevices = assignment.target, isForUsers {
        add(
          .allDevices, file, assignment.position,
          "the \(document) is assigned to all devices, which has no effect on a document for users")
      }
      if let reference = assignment.group {
        check(reference, at: assignment.position, of: document, file, isForUsers: isForUsers)
      }
      if let use = assignment.filter {
        check(use, at: assignment.position, of: document, file, isForApps: isForUsers)
      }
    }
    guard isForUsers else { return }
    checkRedundancy(of: assignments, of: document, file)
    checkLicences(of: assignments, of: document, file)
  }

  /// Reports assignments and exclusions that change nothing.
  private mutating func checkRedundancy(
    of assignments: [Assignment], of document: String, _ file: String
  ) {
    let everyone = assignments.filter { $0.target == .allLicensedUsers }
    for assignment in assignments {
      switch assignment.target {
      case .group(let reference):
        guard let all = everyone.first(where: { $0.covers(assignment) }) else { continue }
        add(
          .redundantAssignment, file, assignment.position,
          "the \(document) is assigned to all licensed users in line \(all.position.line), so its assignment to "
            + "`\(name(of: reference))` changes nothing")
      case .exclusion(let reference):
        guard everyone.isEmpty, isWithoutIncludedUser(reference, assignments) else { continue }
        add(
          .redundantExclusion, file, assignment.position,
          "the \(document) excludes `\(name(of: reference))`, and includes none of its members")
      case .allLicensedUsers, .allDevices, .other: continue
      }
    }
  }

  private func name(of reference: GroupReference) -> String {
    tenant.directory.group(reference).map { tenant.directory.groups[$0].displayName }
      ?? reference.text
  }

  /// Returns whether all members of an excluded group are known, and no group that is included has one of them. False
  /// for an empty group, and if no group is included.
  private func isWithoutIncludedUser(
    _ excluded: GroupReference, _ assignments: [Assignment]
  ) -> Bool {
    let included = assignments.compactMap { assignment -> GroupReference? in
      if case .group(let reference) = assignment.target { reference } else { nil }
    }
    guard !included.isEmpty, let group = tenant.directory.group(excluded),
      let extent = extents[group], extent.members.count > 0
    else { return false }
    return included.allSatisfy { reference in
      tenant.directory.group(reference).flatMap { extents[$0] }?.isWithoutMember(of: extent)
        ?? false
    }
  }

  /// Reports groups with an assignment whose members lack a licence.
  private mutating func checkLicences(
    of assignments: [Assignment], of document: String, _ file: String
  ) {
    for assignment in assignments {
      guard case .group(let reference) = assignment.target,
        let group = tenant.directory.group(reference), let extent = extents[group]
      else { continue }
      var users = UserCount()
      for user in unlicensed where extent.members.contains(user) {
        users.add(UserClass(users: [user]))
      }
      guard users.count > 0 else { continue }
      add(
        .unlicensedMembers, file, assignment.position,
        "the \(document) is assigned to `\(name(of: reference))`, but does not reach \(words(users)) there without a "
          + "licence")
    }
  }

  // MARK: Use

  /// Reports groups and filters that no document uses: one finding for a file.
  private mutating func checkUse() {
    let directory = tenant.directory
    let used = directory.groups(usedBy: tenant.namedGroups)
    let groups = directory.groups.indices.filter {
      !used.contains($0) && directory.statesMembers($0)
    }
    .map { (name: directory.groups[$0].displayName, source: directory.groups[$0].source) }
    report(groups, as: .unusedGroup, "group")
    let assignments =
      tenant.policies.flatMap { $0.assignments ?? [] }
      + tenant.configurations.flatMap { $0.assignments ?? [] }
    let names = Set(assignments.compactMap { $0.filter?.name.lowercased() })
    let known = tenant.judge.filters
    let sources = Set(names.compactMap { known[$0]?.source })
    var seen: Set<Directory.Source> = []
    let filters = known.values.filter { filter in
      filter.isForApps && filter.isForIOS && !sources.contains(filter.source)
        && seen.insert(filter.source).inserted
    }.map { (name: $0.displayName, source: $0.source) }
    report(filters, as: .unusedFilter, "filter")
  }

  private mutating func report(
    _ objects: [(name: String, source: Directory.Source)], as rule: TenantRule, _ noun: String
  ) {
    for (file, objects) in Dictionary(grouping: objects, by: \.source.file) {
      let sorted = objects.sorted {
        ($0.source.position.line, $0.source.position.column)
          < ($1.source.position.line, $1.source.position.column)
      }
      let names = ListFormat.first(4, of: sorted.map { "`\($0.name)`" })
      add(
        rule, file, sorted.first?.source.position,
        "no document uses the \(noun)\(sorted.count == 1 ? "" : "s") \(names)")
    }
  }

  private mutating func check(
    _ reference: GroupReference, at position: Position, of document: String, _ file: String,
    isForUsers: Bool
  ) {
    guard let group = tenant.directory.group(reference) else {
      return add(
        .missingGroup, file, position,
        "the \(document) names the group `\(reference.text)`, which the export does not contain")
    }
    guard !tenant.directory.users.isEmpty,
      let extent = extents[group], extent.members.count + extent.unknown.count == 0,
      isForUsers || !tenant.directory.groups[group].hasDevices
    else { return }
    let name = tenant.directory.groups[group].displayName
    let what = tenant.directory.groups[group].hasDevices ? "contains no users" : "has no members"
    add(
      .emptyGroup, file, position, "the \(document) names the group `\(name)`, which \(what)")
  }

  private mutating func check(
    _ use: Assignment.Filter, at position: Position, of document: String, _ file: String,
    isForApps: Bool
  ) {
    guard let filter = tenant.judge.filters[use.name.lowercased()] else {
      return add(
        .missingFilter, file, position,
        "the \(document) uses the filter `\(use.name)`, which the export does not contain")
    }
    guard filter.isForApps == isForApps else {
      return add(
        .otherFilterKind, file, position,
        "the \(document) uses the filter `\(filter.displayName)`, which is for managed "
          + (filter.isForApps ? "apps" : "devices"))
    }
    guard let rule = filter.rule else { return }
    let canBeMet = TenantDevice.kinds.contains { rule.canBeMet(by: $0.filtered) }
    guard !canBeMet else { return }
    add(
      .filterNeverTrue, filter.source.file, filter.source.position,
      "the filter `\(filter.displayName)` is true on no iPhone: \(filter.text)")
  }

  // MARK: Apps

  private mutating func checkApps() {
    for document in tenant.configurations where !document.isDefault {
      let apps = document.targeting.bundleIDs.union(
        document.mobileApps.filter { $0.contains(".") }.map { $0.lowercased() })
      let uncovered = apps.filter { app in
        !tenant.policies.contains { policy in
          ManagementState.allCases.contains {
            policy.targets(bundleID: app, state: $0).isTargeted
          }
        }
      }
      guard !uncovered.isEmpty else { continue }
      add(
        .configurationWithoutPolicy, document.file, document.position,
        "no policy lists \(ListFormat.first(4, of: uncovered.sorted().map { "`\($0)`" })), which "
          + "`\(document.displayName)` configures")
    }
  }

  // MARK: Users

  private mutating func checkUsers() {
    let classes = tenant.classes(extents)
    let survey = UserSurvey(tenant, users: classes.map(\.representative), extents)
    let demands = policiesDemandingProtection(of: survey)
    var reached: Set<Int> = []
    var differing: [[Int]: (classes: Set<Int>, apps: Set<String>)] = [:]
    for app in tenant.bundleIDs {
      let kinds = devices.map { survey.answers(in: app, on: $0) }
      let effective = kinds.map(\.effective)
      // A document that reaches nobody on the given device may have a use on others.
      let anywhere =
        devices == TenantDevice.kinds
        ? effective : TenantDevice.kinds.map { survey.answers(in: app, on: $0).effective }
      for alternative in anywhere.joined().compactMap(\.self).joined() {
        reached.formUnion(alternative.answer)
      }
      for (answers, effective) in zip(kinds, effective) {
        let several = effective.map { $0?.known().flatMap { $0.count > 1 ? $0 : nil } }
        for (number, label) in answers.labels.enumerated() {
          guard let policies = several[Int(label)] else { continue }
          differing[policies, default: ([], [])].classes.insert(number)
          differing[policies]?.apps.insert(app)
        }
      }
      let hasNone = zip(kinds, effective).map { answers, effective in
        let hasNone = effective.map { $0?.allSatisfy(\.answer.isEmpty) ?? false }
        return answers.labels.map { hasNone[Int($0)] }
      }
      var holes: [Hole: UserCount] = [:]
      var gaps: [TenantDevice: UserCount] = [:]
      for (number, users) in classes.enumerated() {
        let isLicensed = tenant.directory.isLicensed(users.representative) != false
        let missing = devices.indices.filter { hasNone[$0][number] }
        if missing.count == devices.count {
          // A user without a licence is meant to have no policy, unless conditional access demands
          // one.
          let demand = demands[number]?.isCertain == true ? demands[number]?.policy : nil
          guard demand != nil || isLicensed else { continue }
          holes[Hole(demand: demand, isLicensed: isLicensed), default: UserCount()].add(users)
        } else if let first = missing.first {
          gaps[devices[first], default: UserCount()].add(users)
        }
        // Conditional access is examined on the first device.
        let alternatives = effective[0][Int(kinds[0].labels[number])]
        if let demand = demands[number],
          let conditions = conditions(ofLockOutBy: demand, alternatives)
        {
          let hole = Hole(demand: demand.policy, isLicensed: isLicensed, conditions: conditions)
          holes[hole, default: UserCount()].add(users)
        }
      }
      for (hole, users) in holes { report(hole, users, in: app) }
      report(gaps, in: app)
    }
    for (policies, use) in differing {
      let users = use.classes.reduce(0) { $0 + classes[$1].users.count }
      reportDiffering(policies, users, use.apps.sorted())
    }
    for (index, policy) in tenant.policies.enumerated()
    where policy.assignments != nil && !reached.contains(index) {
      add(
        .assignedToNobody, policy.file, policy.position,
        "the policy `\(policy.displayName)` reaches no user of the export")
    }
  }

  /// A conditional access policy that demands an app protection policy.
  private struct Demand {
    /// The policy's index.
    var policy: Int
    /// The facts on which it depends whether the policy applies, for each way in which it does.
    var facts: [[(fact: UnknownFact, holds: Bool)]]

    var isCertain: Bool { facts.contains(where: \.isEmpty) }
  }

  /// Users without a policy in an app, and why that matters.
  private struct Hole: Hashable {
    /// The conditional access policy that locks the users out, by its index; nil for none.
    var demand: Int?
    var isLicensed: Bool
    /// The conditions as clauses; nil if the users have no policy under any condition.
    var conditions: [String]?
  }

  /// Returns the first enabled conditional access policy that each class can meet only with an app
  /// protection policy; nil if there is none. One that applies unconditionally
  /// comes before others.
  private func policiesDemandingProtection(of survey: UserSurvey) -> [Demand?] {
    var found = [Demand?](repeating: nil, count: survey.users.count)
    for policy in tenant.conditionalAccess.indices.reversed()
    where tenant.conditionalAccess[policy].needsAppProtection {
      let (blocks, results) = survey.judgements(of: policy, on: devices[0])
      for (users, result) in zip(blocks.blocks, results) {
        let facts = (result.alternatives ?? []).filter { $0.answer.applies == true }.map(\.facts)
        guard !facts.isEmpty else { continue }
        let demand = Demand(policy: policy, facts: facts)
        for number in users where demand.isCertain || found[number]?.isCertain != true {
          found[number] = demand
        }
      }
    }
    return found
  }

  /// Returns the conditions, as clauses, under which a demand locks users out. Returns nil if it does not lock
  /// them out, or does so unconditionally.
  ///
  /// - Parameter alternatives: The policies of the users.
  private func conditions(
    ofLockOutBy demand: Demand, _ alternatives: [Assumptions.Alternative<[Int]>]?
  ) -> [String]? {
    let without = (alternatives ?? []).filter(\.answer.isEmpty).map(\.facts)
    for facts in demand.facts {
      for others in without {
        let conditions = tenant.conditions(facts + others)
        guard TenantCondition.areCompatible(conditions) else { continue }
        return conditions.isEmpty ? nil : conditions.map(\.text).unique
      }
    }
    return nil
  }

  /// The number of some users, and the first of them.
  private struct UserCount {
    private(set) var count = 0
    private(set) var first = Int.max

    mutating func add(_ users: UserClass) {
      count += users.users.count
      first = min(first, users.representative)
    }
  }

  /// Reports users who have a policy on one kind of device only.
  ///
  /// - Parameter gaps: The users by the device on which they have none.
  private mutating func report(_ gaps: [TenantDevice: UserCount], in app: String) {
    guard let policy = tenant.policies.first(where: { $0.targeting.bundleIDs.contains(app) }) else {
      return
    }
    for (device, users) in gaps {
      add(
        .deviceGap, policy.file, policy.position,
        "\(words(users)) \(users.count == 1 ? "has" : "have") a policy in `\(app)` only on "
          + "\(device.isManaged ? "unmanaged" : "managed") devices")
    }
  }

  /// Reports users without a policy.
  private mutating func report(_ hole: Hole, _ users: UserCount, in app: String) {
    guard let policy = tenant.policies.first(where: { $0.targeting.bundleIDs.contains(app) }) else {
      return
    }
    guard let demand = hole.demand else {
      return add(
        .unprotectedUsers, policy.file, policy.position,
        "no policy reaches \(words(users)) in `\(app)`")
    }
    let access = tenant.conditionalAccess[demand]
    let condition = hole.conditions.map { " if \(ListFormat.all(of: $0))" } ?? ""
    add(
      hole.conditions == nil ? .lockOut : .possibleLockOut, access.file, access.position,
      "\(words(users)) cannot use `\(app)`\(condition): `\(access.displayName)` requires an app "
        + "protection policy, and they have none"
        + (hole.isLicensed ? "" : ", because they have no licence"))
  }

  private mutating func reportDiffering(_ policies: [Int], _ users: Int, _ apps: [String]) {
    let documents = policies.map { tenant.policies[$0] }
    guard let first = documents.first,
      documents.contains(where: { $0.settings != first.settings })
    else { return }
    let names = ListFormat.all(of: documents.map { "`\($0.displayName)`" })
    add(
      .differingPolicies, first.file, first.position,
      "\(names) differ, and all reach \(users) \(users == 1 ? "user" : "users") in "
        + "\(ListFormat.first(3, of: apps.map { "`\($0)`" })); the most restrictive value of each "
        + "setting counts")
  }

  private func words(_ users: UserCount) -> String {
    let upn = tenant.directory.users[users.first].upn
    return users.count == 1 ? upn : "\(users.count) users like \(upn)"
  }
}
