internal import AppConfiguration
internal import Directory
internal import Encodings
internal import Enrollment
internal import GraphDocuments
package import Output
internal import Policy

extension Assignment {
  /// Returns whether this assignment to all licensed users makes `other`, an assignment to a group, redundant.
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
  /// Returns the probable mistakes in the tenant's assignments, in the order of files.
  ///
  /// - Parameter device: The device of all users; nil for an unmanaged and a managed device without further facts.
  package func lint(on device: TenantDevice? = nil) -> [Finding<TenantRule>] {
    var lint = TenantLint(tenant: self, devices: device.map { [$0] } ?? TenantDevice.kinds)
    lint.run()
    return lint.findings.sorted { $0.diagnostic.precedes($1.diagnostic) }
  }

  /// Returns the findings of ``lint(on:)`` and the warnings about the files, in the order of files.
  package func findings(on device: TenantDevice? = nil) -> [Finding<TenantLintRule>] {
    let mistakes = lint(on: device).map { finding in
      Finding(
        TenantLintRule(finding.rule), finding.severity, file: finding.file, at: finding.position,
        finding.message)
    }
    let warnings = diagnostics.map { diagnostic in
      let (file, position): (String, Position?) =
        switch diagnostic.place {
        case .file(let file, let position): (file, position)
        case .path(let path): (path, nil)
        case .command: (folder, nil)
        }
      return Finding(
        TenantLintRule(diagnostic), file: file, at: position, diagnostic.message)
    }
    return (mistakes + warnings).sorted { $0.diagnostic.precedes($1.diagnostic) }
  }
}

private struct TenantLint {
  let tenant: Tenant
  /// The devices on which users are examined; at least one.
  private let devices: [TenantDevice]
  /// The members of the groups that documents name, by the groups' indices.
  private let extents: [Int: Directory.Extent]
  /// The users with an enabled account and without a licence, by their indices.
  private let unlicensed: [Int]
  /// The missing or empty groups that documents name, in the order of documents.
  private var foundGroups: [FoundGroup] = []
  /// The locations of the filters that have been reported because no iPhone meets them.
  private var deadFilters: Set<Directory.Source> = []
  var findings: [Finding<TenantRule>] = []

  init(tenant: Tenant, devices: [TenantDevice]) {
    self.tenant = tenant
    self.devices = devices
    unlicensed = tenant.directory.enabledUsers.filter { tenant.directory.isLicensed($0) == false }
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
    for policy in tenant.conditionalAccess { checkGroups(of: policy) }
    for group in foundGroups { report(group) }
    checkMembers()
    checkApps()
    checkUse()
    guard !tenant.directory.enabledUsers.isEmpty else { return }
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
          "the \(document) is for users, so its assignment to all devices has no effect")
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
          "the \(document) excludes `\(name(of: reference))`, but includes none of its members, so the exclusion has no effect"
        )
      case .allLicensedUsers, .allDevices, .other: continue
      }
    }
  }

  private func name(of reference: GroupReference) -> String {
    tenant.directory.group(reference).map { tenant.directory.groups[$0].displayName }
      ?? reference.text
  }

  /// Returns whether the exclusion of a group of users has no effect, because none of its members is in an included
  /// group. All members of the excluded group must be known. False if the excluded group is empty, or no group is
  /// included.
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

  /// Reports assigned groups that have members without a licence.
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
        "the \(document) is assigned to `\(name(of: reference))`, but does not reach \(words(users)) in this group, "
          + "because of a missing licence")
    }
  }

  // MARK: Use

  /// Reports groups and filters that no document uses, with one finding for each file.
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
      return reportAbsence(of: reference, at: position, in: document, file)
    }
    guard !tenant.directory.users.isEmpty,
      let extent = extents[group], extent.members.count + extent.unknown.count == 0,
      isForUsers || !tenant.directory.groups[group].hasDevices
    else { return }
    let name = tenant.directory.groups[group].displayName
    let what = tenant.directory.groups[group].hasDevices ? "contains no users" : "has no members"
    note(FoundGroup(.emptyGroup, name, what), FoundGroup.Use(document, file, position))
  }

  /// Reports groups of a conditional access policy that the export does not contain. Each group is reported once.
  private mutating func checkGroups(of policy: ConditionalAccessPolicy) {
    let members = (policy.principals.included + policy.principals.excluded).flatMap(\.members)
    var seen: Set<String> = []
    for reference in members.compactMap(\.group)
    where tenant.directory.group(reference) == nil && seen.insert(reference.text).inserted {
      reportAbsence(
        of: reference, at: policy.position,
        in: "conditional access policy `\(policy.displayName)`", policy.file)
    }
  }

  /// Reports the groups that documents name and whose members the export does not state. All are in one finding.
  private mutating func checkMembers() {
    let directory = tenant.directory
    let names = extents.keys.filter { group in
      !directory.statesMembers(group) && !directory.groups[group].hasDevices
        && (extents[group]?.unknown.count ?? 0) > 0
    }.map { "`\(directory.groups[$0].displayName)`" }.sorted()
    guard !names.isEmpty else { return }
    let groups = names.count == 1 ? "the group" : "\(names.count) groups that documents name:"
    add(
      .unknownMembers, tenant.folder, nil,
      "the export does not state the members of \(groups) \(ListFormat.first(4, of: names))")
  }

  private mutating func reportAbsence(
    of reference: GroupReference, at position: Position, in document: String, _ file: String
  ) {
    note(
      FoundGroup(.missingGroup, reference.text, "the export does not contain"),
      FoundGroup.Use(document, file, position))
  }

  /// A missing or empty group, with the documents that name it.
  private struct FoundGroup {
    struct Use {
      /// The document in words, such as "policy Strict".
      var document: String
      var file: String
      /// The first place in the document that names the group.
      var position: Position

      init(_ document: String, _ file: String, _ position: Position) {
        self.document = document
        self.file = file
        self.position = position
      }
    }

    var rule: TenantRule
    var name: String
    /// The mistake, as a clause after "which", such as `has no members`.
    var mistake: String
    var uses: [Use] = []

    init(_ rule: TenantRule, _ name: String, _ mistake: String) {
      self.rule = rule
      self.name = name
      self.mistake = mistake
    }
  }

  private mutating func note(_ group: FoundGroup, _ use: FoundGroup.Use) {
    let isSame = { (other: FoundGroup) in
      other.rule == group.rule && other.name == group.name && other.mistake == group.mistake
    }
    guard let place = foundGroups.firstIndex(where: isSame) else {
      var found = group
      found.uses = [use]
      foundGroups.append(found)
      return
    }
    let isKnown = foundGroups[place].uses.contains {
      $0.document == use.document && $0.file == use.file
    }
    if !isKnown { foundGroups[place].uses.append(use) }
  }

  /// Reports a group at the first document that names it, with the other documents.
  private mutating func report(_ group: FoundGroup) {
    let subject =
      group.uses.count == 1
      ? "the \(group.uses[0].document) names" : "\(group.uses.count) documents name"
    let places = group.uses.map { tenant.relative("\($0.file):\($0.position.line)") }
    add(
      group.rule, group.uses[0].file, group.uses[0].position,
      "\(subject) the group `\(group.name)`, which \(group.mistake)"
        + (places.count == 1 ? "" : ": \(ListFormat.first(4, of: places))"))
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
    guard !canBeMet, deadFilters.insert(filter.source).inserted else { return }
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
    let demands = devices.map { policiesDemandingProtection(of: survey, on: $0) }
    let blocks = devices.map { tenant.blocks(of: survey, on: $0) }
    var reached: Set<Int> = []
    var differing: [[Int]: (classes: Set<Int>, apps: Set<String>)] = [:]
    var lacks = LackList()
    for app in tenant.sampleApps {
      let kinds = devices.map { survey.answers(in: app, on: $0) }
      let effective = kinds.map(\.effective)
      // A document that reaches no user on the given device may reach users on others.
      let anywhere =
        devices == TenantDevice.kinds
        ? effective : TenantDevice.kinds.map { survey.answers(in: app, on: $0).effective }
      for alternative in anywhere.joined().compactMap(\.self).joined() {
        reached.formUnion(alternative.answer)
      }
      // `*` stands for apps that no document names. Findings name the core apps of the same policies instead.
      guard !app.hasSuffix("*") else { continue }
      for (answers, effective) in zip(kinds, effective) {
        let several = effective.map { $0?.known().flatMap { $0.count > 1 ? $0 : nil } }
        for (number, label) in answers.labels.enumerated() {
          guard let policies = several[Int(label)] else { continue }
          differing[policies, default: ([], [])].classes.insert(number)
          differing[policies]?.apps.insert(app)
        }
      }
      let targeting = tenant.policies.firstIndex { policy in
        ManagementState.allCases.contains { policy.targets(bundleID: app, state: $0).isTargeted }
      }
      guard let policy = targeting else { continue }
      for number in classes.indices {
        let answers = devices.indices.map { device in
          Protection(
            demands: demands[device][number],
            policies: effective[device][Int(kinds[device].labels[number])],
            isBlocked: !blocks[device][number].isEmpty)
        }
        for lack in self.lacks(of: classes[number].representative, answers, policy) {
          lacks.add(lack, of: number, in: app)
        }
      }
    }
    for (lack, numbers, apps) in lacks.all {
      report(lack, UserCount(numbers.map { classes[$0] }), in: apps)
    }
    for (policies, use) in differing {
      let users = use.classes.reduce(0) { $0 + classes[$1].users.count }
      reportDiffering(policies, users, use.apps.sorted())
    }
    for (index, policy) in tenant.policies.enumerated()
    where policy.assignments != nil && !reached.contains(index) {
      let reaches = (devices + TenantDevice.kinds).map {
        tenant.reach(of: .policy(index), to: classes, extents, on: $0)
      }
      // Together with other policies, it may depend on too many unknown facts, and reach users nevertheless.
      guard reaches.allSatisfy(\.reached.isEmpty) else { continue }
      // The reason on a device that the policy does not target is not the one to mend.
      let reach = reaches.first { reach in
        reach.apps.contains {
          policy.targets(bundleID: $0, state: reach.device.isManaged ? .enrolled : .unenrolled)
            .isTargeted
        }
      }
      add(
        .assignedToNobody, policy.file, policy.position,
        "the policy `\(policy.displayName)` reaches no user of the export"
          + (reach ?? reaches[0]).absence)
    }
    checkConfigurations(of: classes)
  }

  private mutating func checkConfigurations(of classes: [UserClass]) {
    for (index, configuration) in tenant.configurations.enumerated()
    where configuration.assignments != nil && !configuration.isDefault
      && reachesNoUser(.configuration(index), among: classes)
    {
      let reaches = reaches(of: .configuration(index), to: classes)
      let isForDevices = configuration.channel == .managedDevices
      let reach = reaches.first { $0.device.isManaged == isForDevices }
      add(
        .assignedToNobody, configuration.file, configuration.position,
        "the configuration `\(configuration.displayName)` reaches no user of the export"
          + (reach?.absence ?? ""))
    }
  }

  /// Returns whether a document targets at least one app but reaches none of the users.
  ///
  /// A few users are evaluated first, because most documents reach one of them.
  private func reachesNoUser(
    _ document: TenantStep.Document, among classes: [UserClass]
  ) -> Bool {
    var (rest, count) = (classes[...], 16)
    while !rest.isEmpty {
      let reaches = reaches(of: document, to: Array(rest.prefix(count)))
      guard reaches.allSatisfy({ !$0.apps.isEmpty && $0.reached.isEmpty }) else { return false }
      rest = rest.dropFirst(count)
      count *= 4
    }
    return !classes.isEmpty
  }

  /// Returns the reach of a document on each kind of device. A document that reaches no user on the given device may
  /// reach users on other devices.
  private func reaches(
    of document: TenantStep.Document, to classes: [UserClass]
  ) -> [DocumentReach] {
    TenantDevice.kinds.map { tenant.reach(of: document, to: classes, extents, on: $0) }
  }

  /// A conditional access policy that demands an app protection policy.
  private struct Demand {
    var policy: Int
    /// The conditions of each case in which the policy applies.
    var cases: [[TenantCondition]]
  }

  /// The protection of a class of users in an app. It consists of the enabled conditional access policies that demand
  /// an app protection policy from them, and of the app protection policies that they get.
  private struct Protection {
    var demands: [Demand]
    /// The app protection policies for each combination of unknown facts; nil if there are too many such facts.
    var policies: [Assumptions.Alternative<[Int]>]?
    /// Whether conditional access blocks the users, with or without a policy.
    var isBlocked: Bool

    /// Whether the users certainly have no policy, regardless of unknown facts.
    var isMissing: Bool { policies?.allSatisfy(\.answer.isEmpty) ?? false }
  }

  private struct Lack: Hashable {
    enum Effect: Hashable {
      /// A conditional access policy locks the users out if all `conditions` are true. `by` is the policy's index.
      case lockOut(by: Int, conditions: [String])
      /// No policy reaches the users. `policy` is the index of the first policy that targets the app.
      case unprotected(policy: Int)
      /// The users have a policy, but not on this device. `policy` is the index of the first policy that targets the
      /// app.
      case gap(policy: Int)

      /// Whether the users are certainly locked out, regardless of unknown facts.
      var isLockOut: Bool {
        switch self {
        case .lockOut(_, let conditions): conditions.isEmpty
        case .unprotected, .gap: false
        }
      }
    }

    var effect: Effect
    /// The device on which the users lack protection; nil for all examined devices.
    var device: TenantDevice?
    var isLicensed: Bool
  }

  /// The protection that users lack. If the same users lack the same protection in several apps, it is listed once.
  private struct LackList {
    private struct Key: Hashable {
      var lack: Lack
      var classes: [Int]
    }

    /// The last added app. For each ``Lack`` in this app, `classes` contains the indices of the user classes with this
    /// lack.
    private var last: (app: String, classes: [Lack: [Int]])?
    private var apps: [Key: [String]] = [:]
    private var keys: [Key] = []

    mutating func add(_ lack: Lack, of number: Int, in app: String) {
      if last?.app != app {
        finish()
        last = (app, [:])
      }
      last?.classes[lack, default: []].append(number)
    }

    private mutating func finish() {
      guard let last else { return }
      for (lack, classes) in last.classes {
        let key = Key(lack: lack, classes: classes)
        if apps[key] == nil { keys.append(key) }
        apps[key, default: []].append(last.app)
      }
      self.last = nil
    }

    var all: [(lack: Lack, classes: [Int], apps: [String])] {
      var list = self
      list.finish()
      return list.keys.map { ($0.lack, $0.classes, list.apps[$0] ?? []) }
    }
  }

  /// Returns, for each class of users, the enabled conditional access policies that demand an app protection policy
  /// from them.
  private func policiesDemandingProtection(
    of survey: UserSurvey, on device: TenantDevice
  ) -> [[Demand]] {
    var found = [[Demand]](repeating: [], count: survey.users.count)
    for policy in tenant.conditionalAccess.indices
    where tenant.conditionalAccess[policy].needsAppProtection(on: device) {
      let (blocks, results) = survey.judgements(of: policy, on: device)
      for (users, result) in zip(blocks.blocks, results) {
        let cases = (result.alternatives ?? []).filter { $0.answer.applies == true }.map {
          tenant.conditions($0.facts) + tenant.assumptions(of: policy, $0.answer)
        }
        guard !cases.isEmpty else { continue }
        for number in users { found[number].append(Demand(policy: policy, cases: cases)) }
      }
    }
    return found
  }

  /// Returns the protection that a user lacks in an app. Devices on which the user is blocked are ignored.
  ///
  /// - Parameters:
  ///   - answers: The user's protection on each device.
  ///   - policy: The first policy that targets the app.
  private func lacks(of user: Int, _ answers: [Protection], _ policy: Int) -> [Lack] {
    let isOpen = { (answer: Protection) in
      !answer.isBlocked && answer.policies?.contains(where: \.answer.isEmpty) ?? false
    }
    guard answers.contains(where: isOpen) else { return [] }
    let isLicensed = tenant.directory.isLicensed(user) != false
    let lockOuts = answers.map { $0.isBlocked ? [] : self.lockOuts($0) }
    let isLockedOut = lockOuts.map { $0.contains(where: \.isLockOut) }
    var found: [Lack] = []
    for effect in lockOuts.joined() where !found.contains(where: { $0.effect == effect }) {
      let places = lockOuts.indices.filter { lockOuts[$0].contains(effect) }
      let isEverywhere = places.count == devices.count
      found += (isEverywhere ? [nil] : places.map { devices[$0] }).map {
        Lack(effect: effect, device: $0, isLicensed: isLicensed)
      }
    }
    // A user without a licence is meant to have no policy, unless conditional access demands one.
    guard isLicensed else { return found }
    let missing = answers.indices.filter {
      answers[$0].isMissing && !answers[$0].isBlocked && !isLockedOut[$0]
    }
    if answers.allSatisfy(\.isMissing) {
      if !missing.isEmpty {
        found.append(
          Lack(
            effect: .unprotected(policy: policy),
            device: missing.count == devices.count ? nil : devices[missing[0]],
            isLicensed: true))
      }
    } else {
      found += missing.map {
        Lack(effect: .gap(policy: policy), device: devices[$0], isLicensed: true)
      }
    }
    return found
  }

  /// Returns the lock-outs on one device: a single unconditional lock-out, or one lock-out for each combination of
  /// conditions.
  private func lockOuts(_ protection: Protection) -> [Lack.Effect] {
    let without = (protection.policies ?? []).filter(\.answer.isEmpty).map {
      tenant.conditions($0.facts)
    }
    var found: [Lack.Effect] = []
    var conditions: Set<[String]> = []
    for demand in protection.demands {
      let cases = demand.cases.flatMap { conditions in
        without.map { conditions + $0 }.filter(TenantCondition.areCompatible)
      }
      for alternative in TenantCondition.simplified(cases) {
        let clauses = alternative.map(\.text)
        let effect = Lack.Effect.lockOut(by: demand.policy, conditions: clauses)
        if clauses.isEmpty { return [effect] }
        if conditions.insert(clauses).inserted { found.append(effect) }
      }
    }
    return found
  }

  private struct UserCount {
    private(set) var count = 0
    private(set) var first = Int.max

    init(_ classes: [UserClass] = []) {
      for users in classes { add(users) }
    }

    mutating func add(_ users: UserClass) {
      count += users.users.count
      first = min(first, users.representative)
    }
  }

  private mutating func report(_ lack: Lack, _ users: UserCount, in apps: [String]) {
    let names = ListFormat.first(3, of: AppName.wellKnownFirst(apps).map { "`\($0)`" })
    let device = lack.device.map { $0.isManaged ? " on managed devices" : " on unmanaged devices" }
    switch lack.effect {
    case .unprotected(let policy):
      let policy = tenant.policies[policy]
      add(
        .unprotectedUsers, policy.file, policy.position,
        "no policy reaches \(words(users)) in \(names)\(device ?? "")")
    case .gap(let policy):
      let policy = tenant.policies[policy]
      add(
        .deviceGap, policy.file, policy.position,
        "\(words(users)) \(users.count == 1 ? "has" : "have") a policy in \(names), but not\(device ?? "")"
      )
    case .lockOut(let demand, let conditions):
      let access = tenant.conditionalAccess[demand]
      let condition = conditions.isEmpty ? "" : " if \(ListFormat.all(of: conditions))"
      add(
        conditions.isEmpty ? .lockOut : .possibleLockOut, access.file, access.position,
        "\(words(users)) cannot use \(names)\(device ?? "")\(condition): `\(access.displayName)` "
          + access.unmetRequirement
          + (lack.isLicensed ? "" : ", because they have no licence"))
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
        + "\(ListFormat.first(3, of: apps.map { "`\($0)`" })); the most restrictive values count: "
        + ListFormat.first(3, of: winners(among: documents)))
  }

  /// Returns the effective value of each setting in which policies differ, with its location:
  /// `Printing Org data = Block (AppProtection/strict.json:4)`.
  private func winners(among documents: [PolicyDocument]) -> [String] {
    let merged = EffectivePolicy.merging(documents)
    let differing = documents.dropFirst().flatMap {
      documents[0].settings.differences(from: $0.settings)
    }
    // A label may stand for several properties.
    var places: [(value: String, places: [String])] = []
    for setting in differing {
      guard let citation = merged.citation(of: setting) else { continue }
      let value = "`\(setting.label)` = `\(citation.value)`"
      let index = places.firstIndex { $0.value == value } ?? places.count
      if index == places.count { places.append((value, [])) }
      places[index].places.append(tenant.relative(citation.source))
    }
    return places.map { "\($0.value) (\($0.places.unique.joined(separator: ", ")))" }
  }

  private func words(_ users: UserCount) -> String {
    let upn = tenant.directory.users[users.first].upn
    return users.count == 1 ? upn : "\(users.count) users like \(upn)"
  }
}
