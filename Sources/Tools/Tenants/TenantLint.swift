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
  /// A target without effect on documents that are assigned to users.
  case allDevices
  case assignedToNobody
  /// A filter that is true on no iPhone.
  case filterNeverTrue
  /// A filter for managed devices on an assignment for apps, or the other way round.
  case otherFilterKind
  /// Users without the policy that conditional access requires.
  case lockOut
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
    case .missingGroup, .missingFilter, .differingPolicies, .configurationWithoutPolicy: .note
    }
  }

  /// The finding in one sentence.
  package var summary: String {
    switch self {
    case .missingGroup: "An assignment names a group that the export does not contain."
    case .missingFilter: "An assignment names a filter that the export does not contain."
    case .emptyGroup: "A group with an assignment has no members."
    case .allDevices: "All devices are the target of a document that is assigned to users only."
    case .assignedToNobody: "A document reaches no user."
    case .filterNeverTrue: "A filter is true on no iPhone."
    case .otherFilterKind: "A filter is of another kind than the document needs."
    case .lockOut: "Conditional access demands a policy that users do not get."
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
    case .allDevices: "Assign the document to groups of users, or to all users."
    case .assignedToNobody: "Assign the document to a group that has members, or remove it."
    case .filterNeverTrue: "Correct the rule; `sluice tenant who --user --app` shows what it reads."
    case .otherFilterKind: "Use a filter for managed apps with policies and configurations of apps."
    case .lockOut: "Assign an app protection policy for the app to these users."
    case .unprotectedUsers: "Assign a policy to these users, or confirm that they need none."
    case .differingPolicies:
      "The most restrictive value counts; make the policies agree or disjoint."
    case .configurationWithoutPolicy:
      "Add the app to a policy if it handles the organisation's data."
    case .deviceGap: "Target a policy at the other kind of device as well."
    }
  }
}

extension Tenant {
  /// Returns what looks wrong with the tenant's assignments, in the order of files.
  package func lint() -> [Finding<TenantRule>] {
    var lint = TenantLint(tenant: self)
    lint.run()
    return lint.findings.sorted { $0.diagnostic.precedes($1.diagnostic) }
  }

  /// Returns whether a user can meet an enabled conditional access policy only with an app
  /// protection policy.
  func isDemandingPolicy(_ result: TenantAnswer.Result<ConditionalAccessPolicy.Judgement>) -> Bool {
    let policy = conditionalAccess[result.document]
    return policy.state == .enabled && policy.controls == [.compliantApplication]
      && (result.alternatives ?? []).allSatisfy { $0.answer.applies == true }
  }
}

private struct TenantLint {
  let tenant: Tenant
  /// The members of the groups that documents name, by the groups' indices.
  private let extents: [Int: Directory.Extent]
  var findings: [Finding<TenantRule>] = []

  init(tenant: Tenant) {
    self.tenant = tenant
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
    let results = TenantDevice.kinds.map { rule.result(for: $0.filtered).isMet }
    guard results.allSatisfy({ $0 == false }) else { return }
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
      let kinds = TenantDevice.kinds.map { survey.answers(in: app, on: $0) }
      let effective = kinds.map(\.effective)
      for alternative in effective.joined().compactMap(\.self).joined() {
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
      var unprotected: [Int?: UserCount] = [:]
      var gaps: [Bool: UserCount] = [:]
      for (number, users) in classes.enumerated() {
        switch (hasNone[0][number], hasNone[1][number]) {
        case (true, true):
          // A user without a licence is meant to have no policy, unless conditional access demands
          // one.
          let demand = demands[number]
          guard demand != nil || tenant.directory.isLicensed(users.representative) != false else {
            continue
          }
          unprotected[demand, default: UserCount()].add(users)
        case (let isUnmanagedMissing, let isManagedMissing):
          guard isUnmanagedMissing || isManagedMissing else { continue }
          gaps[isManagedMissing, default: UserCount()].add(users)
        }
      }
      report(unprotected, in: app)
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

  /// Returns the first enabled conditional access policy that each class can meet only with an app
  /// protection policy; nil if there is none.
  private func policiesDemandingProtection(of survey: UserSurvey) -> [Int?] {
    var found = [Int?](repeating: nil, count: survey.users.count)
    for policy in tenant.conditionalAccess.indices.reversed() {
      let (blocks, results) = survey.judgements(of: policy, on: TenantDevice(isManaged: false))
      for (users, result) in zip(blocks.blocks, results) where tenant.isDemandingPolicy(result) {
        for number in users { found[number] = policy }
      }
    }
    return found
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
  /// - Parameter gaps: The users by whether the policy is missing on managed devices.
  private mutating func report(_ gaps: [Bool: UserCount], in app: String) {
    guard let policy = tenant.policies.first(where: { $0.targeting.bundleIDs.contains(app) }) else {
      return
    }
    for (isManagedMissing, users) in gaps {
      add(
        .deviceGap, policy.file, policy.position,
        "\(words(users)) \(users.count == 1 ? "has" : "have") a policy in `\(app)` only on "
          + "\(isManagedMissing ? "unmanaged" : "managed") devices")
    }
  }

  /// Reports users without a policy.
  ///
  /// - Parameter unprotected: The users by the conditional access policy that locks them out; nil for
  ///   none.
  private mutating func report(_ unprotected: [Int?: UserCount], in app: String) {
    guard let policy = tenant.policies.first(where: { $0.targeting.bundleIDs.contains(app) }) else {
      return
    }
    for (demand, users) in unprotected {
      if let demand {
        let access = tenant.conditionalAccess[demand]
        add(
          .lockOut, access.file, access.position,
          "\(words(users)) cannot use `\(app)`: `\(access.displayName)` requires an app "
            + "protection policy, and they have none")
      } else {
        add(
          .unprotectedUsers, policy.file, policy.position,
          "no policy reaches \(words(users)) in `\(app)`")
      }
    }
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
