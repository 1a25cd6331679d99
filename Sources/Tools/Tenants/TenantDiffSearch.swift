internal import Analysis
internal import AppConfiguration
internal import Directory
internal import Enrollment
internal import GraphDocuments
internal import Policy

// A user has the same number on both sides.

// MARK: - Sides

/// One of the two tenants, with the compared users.
final class DiffSide {
  let survey: UserSurvey
  private let changed: ChangedFacts
  private let side: ChangedFacts.Side
  private var effective: [[Int]: EffectivePolicy] = [:]
  private var demands: [TenantDevice: [PolicyDemand]] = [:]
  private var blocks: [TenantDevice: [[Int]]] = [:]

  var tenant: Tenant { survey.tenant }
  var users: [Int] { survey.users }

  init(
    _ tenant: Tenant, users: [Int], _ side: ChangedFacts.Side, comparing changed: ChangedFacts
  ) {
    survey = UserSurvey(tenant, users: users)
    self.side = side
    self.changed = changed
  }

  /// Returns the cases in which conditional access locks a user, given by number, out of an app if `conditions` are
  /// met. Empty if policies, `documents`, apply to the user in the app.
  func lockOut(
    of user: Int, under documents: [Int], on device: TenantDevice,
    if conditions: [TenantCondition]
  ) -> PolicyDemand {
    documents.isEmpty ? demands(on: device)[user].given(conditions) : .never
  }

  /// Returns the conditional access policies that a user, given by number, certainly cannot meet on a device.
  func blocks(of user: Int, on device: TenantDevice) -> [Int] {
    let known = blocks[device] ?? tenant.blocks(of: survey, on: device)
    blocks[device] = known
    return known[user]
  }

  /// Returns, for each user, the cases in which conditional access locks the user out of an app. Users are given by
  /// their numbers.
  func lockOuts(of users: [Int], in app: String, on device: TenantDevice) -> [PolicyDemand] {
    tenant.lockOuts(
      of: users, in: survey, app, on: device, given: demands(on: device), in: conditions)
  }

  private func demands(on device: TenantDevice) -> [PolicyDemand] {
    let known = demands[device] ?? tenant.demands(of: survey, on: device, in: conditions)
    demands[device] = known
    return known
  }

  func conditions(_ facts: [(fact: UnknownFact, holds: Bool)]) -> [TenantCondition] {
    changed.conditions(facts, of: tenant, side)
  }

  /// Returns the policy with the merged settings; without documents, nothing is restricted.
  func policy(_ documents: [Int]) -> EffectivePolicy {
    if let policy = effective[documents] { return policy }
    let policy = EffectivePolicy.merging(documents.map { tenant.policies[$0] })
    effective[documents] = policy
    return policy
  }
}

// MARK: - Outcomes

/// Numbers for the outcomes of both tenants. Equal outcomes have the same number.
private struct OutcomeNumbers<Answer: Hashable & Sendable> {
  private struct Branch: Hashable {
    var conditions: [TenantCondition]
    var answer: Answer
  }

  private enum Outcome: Hashable {
    case known([Branch])
    /// Sampled answers for each condition, because the answer depends on too many unknown facts.
    case unknown([TenantCondition: [Answer]])
  }

  private var numbers: [Outcome: Int] = [:]
  /// The number of the outcome whose only answer is the initializer's argument `nothing`.
  let nothing = 0

  init(nothing: Answer) { numbers[.known([Branch(conditions: [], answer: nothing)])] = 0 }

  mutating func outcomes(
    _ blocks: UserBlocks, on side: DiffSide,
    _ question: (TenantUser, inout Assumptions) -> Answer
  ) -> UserOutcomes<Answer> {
    let alternatives = blocks.blocks.map { block in
      let user = side.survey.user(block[0])
      return Assumptions.explore { question(user, &$0) }
    }
    let ids = zip(blocks.blocks, alternatives).map { block, alternatives in
      let branches = alternatives?.map { alternative in
        Branch(conditions: side.conditions(alternative.facts), answer: alternative.answer)
      }
      let outcome =
        branches.map(Outcome.known) ?? .unknown(samples(for: block[0], on: side, question))
      let number = numbers[outcome] ?? numbers.count
      numbers[outcome] = number
      return number
    }
    return UserOutcomes(blocks: blocks, ids: ids, alternatives: alternatives)
  }

  private func samples(
    for number: Int, on side: DiffSide, _ question: (TenantUser, inout Assumptions) -> Answer
  ) -> [TenantCondition: [Answer]] {
    let user = side.survey.user(number)
    let samples = Assumptions.samples { question(user, &$0) }.map { fact, answers in
      (side.conditions([(fact: fact, holds: true)])[0], answers)
    }
    return Dictionary(samples) { first, _ in first }
  }
}

/// The indices of one document in both tenants; nil if a tenant does not contain it.
struct DocumentPair: Hashable {
  var old: Int?
  var new: Int?

  /// Pairs documents by the first key, the remaining documents by the next key, and so on. Documents without a match
  /// are paired with nil.
  static func all<Document>(
    _ old: [Document], _ new: [Document], by keys: [(Document) -> String?]
  ) -> [DocumentPair] {
    var partners: [Int: Int] = [:]
    var free = Array(new.indices)
    for key in keys {
      for index in old.indices where partners[index] == nil {
        guard let value = key(old[index]),
          let place = free.firstIndex(where: { key(new[$0]) == value })
        else { continue }
        partners[index] = free.remove(at: place)
      }
    }
    return old.indices.map { DocumentPair(old: $0, new: partners[$0]) }
      + free.map { DocumentPair(old: nil, new: $0) }
  }
}

// MARK: - Search

struct TenantDiffSearch {
  private let old: DiffSide
  private let new: DiffSide
  private let changed: ChangedFacts
  private let policyPairs: [DocumentPair]
  private let configurationPairs: [DocumentPair]
  private let accessPairs: [DocumentPair]
  private var deliveries = OutcomeNumbers(nothing: false)
  private var demands = OutcomeNumbers(nothing: String?.none)
  private var foundProtection: [ProtectionKey: [Cell: [Int]]] = [:]
  private var foundConfigurations: [DocumentKey: [Cell: [Int]]] = [:]
  private var foundAccess: [AccessKey: [Cell: [Int]]] = [:]
  /// The users, by number, with an answer that depends on too many unknown facts.
  private(set) var undecided: Set<Int> = []

  private struct Cell: Hashable {
    var app: String
    var device: TenantDevice
  }

  private struct ProtectionKey: Hashable {
    var old: [Int]
    var new: [Int]
    var conditions: [TenantCondition]
    var lockOuts: LockOuts
  }

  /// The cases in which conditional access locks out users without a policy, and the conditional access policies that
  /// block users even with a policy.
  private struct LockOuts: Hashable {
    var old: PolicyDemand
    var new: PolicyDemand
    var oldBlocks: [Int]
    var newBlocks: [Int]
  }

  private struct DocumentKey: Hashable {
    var pair: DocumentPair
    var applied: Bool
    var applies: Bool
    var conditions: [TenantCondition]
  }

  private struct AccessKey: Hashable {
    var pair: DocumentPair
    var old: String?
    var new: String?
    var conditions: [TenantCondition]
  }

  init(_ old: DiffSide, _ new: DiffSide, comparing changed: ChangedFacts) {
    self.old = old
    self.new = new
    self.changed = changed
    policyPairs = DocumentPair.all(
      old.tenant.policies, new.tenant.policies, by: [\.id, \.displayName, \.file])
    configurationPairs = DocumentPair.all(
      old.tenant.configurations, new.tenant.configurations,
      by: [{ "\($0.channel) \($0.displayName)" }])
    accessPairs = DocumentPair.all(
      old.tenant.conditionalAccess, new.tenant.conditionalAccess, by: [\.displayName, \.file])
  }

  // MARK: App protection

  mutating func compareProtection(in app: String, on device: TenantDevice) {
    let pairs = policyPairs.filter { pair in
      [(old, pair.old), (new, pair.new)].contains { side, index in
        index.map { side.tenant.policies[$0] }.map { policy in
          ManagementState.allCases.contains {
            policy.targets(bundleID: app, state: $0).isTargeted
          }
        } ?? false
      }
    }
    let before = pairs.map { pair in pair.old.map { delivery(of: $0, old, app, device) } }
    let after = pairs.map { pair in pair.new.map { delivery(of: $0, new, app, device) } }
    var isTouched = Array(repeating: false, count: old.users.count)
    for (index, pair) in pairs.enumerated() {
      let isSame = hasSameSettings(pair)
      for user in touched(before[index], after[index], isSame, nothing: deliveries.nothing) {
        isTouched[user] = true
      }
    }
    let touched = isTouched.indices.filter { isTouched[$0] }
    guard !touched.isEmpty else { return }
    var partition = UserPartition(count: old.users.count)
    partition.split(touched)
    for outcomes in (before + after).compactMap(\.self) {
      for users in outcomes.exceptions { partition.split(users.lazy.filter { isTouched[$0] }) }
    }
    for users in partition.blocks(of: touched) {
      addProtection(
        users, effective(before, pairs.map(\.old), users[0]),
        effective(after, pairs.map(\.new), users[0]), Cell(app: app, device: device))
    }
  }

  private mutating func delivery(
    of policy: Int, _ side: DiffSide, _ app: String, _ device: TenantDevice
  ) -> UserOutcomes<Bool> {
    let tenant = side.tenant
    let read = (tenant.policies[policy].assignments ?? []) + stateAssignments(tenant, app, device)
    return deliveries.outcomes(side.survey.blocks(of: read), on: side) { user, facts in
      TenantQuestion(tenant: tenant, user: user, app: app, device: device)
        .policy(policy, &facts).applies
    }
  }

  /// Returns the assignments that determine whether a managed device names its enrolled user to the app; empty for
  /// unmanaged devices.
  private func stateAssignments(
    _ tenant: Tenant, _ app: String, _ device: TenantDevice
  ) -> [Assignment] {
    guard device.isManaged else { return [] }
    return tenant.configurations.filter {
      $0.channel == .managedDevices && $0.targets(bundleID: app, state: .enrolled)
    }.flatMap { $0.assignments ?? [] }
  }

  private func hasSameSettings(_ pair: DocumentPair) -> Bool {
    guard let old = pair.old, let new = pair.new else { return false }
    return self.old.tenant.policies[old].settings == self.new.tenant.policies[new].settings
  }

  /// Returns the users for whom a document's outcome differs. If the document's content differs, the result also
  /// contains the users to whom the document may apply.
  ///
  /// - Parameter isSame: Whether the document has the same content in both tenants.
  private func touched<Answer>(
    _ before: UserOutcomes<Answer>?, _ after: UserOutcomes<Answer>?, _ isSame: Bool, nothing: Int
  ) -> [Int] {
    let isTouched = { (before: Int, after: Int) in
      before != after || !isSame && before != nothing
    }
    guard let count = (before ?? after)?.blocks.labels.count, count > 0 else { return [] }
    // The largest blocks share an answer. If it is equal in both tenants, only the rest is examined.
    if !isTouched(before?.ids[0] ?? nothing, after?.ids[0] ?? nothing) {
      let others = [before, after].compactMap(\.self).flatMap { $0.exceptions.joined() }
      return Set(others).filter {
        isTouched(before?.id(of: $0) ?? nothing, after?.id(of: $0) ?? nothing)
      }
    }
    return (0..<count).filter {
      isTouched(before?.id(of: $0) ?? nothing, after?.id(of: $0) ?? nothing)
    }
  }

  /// Returns the policies that apply together; nil if they depend on too many unknown facts.
  private func effective(
    _ outcomes: [UserOutcomes<Bool>?], _ policies: [Int?], _ user: Int
  ) -> [Assumptions.Alternative<[Int]>]? {
    var candidates: [(policy: Int, alternatives: UserOutcomes<Bool>.Alternatives)] = []
    for (outcomes, policy) in zip(outcomes, policies) {
      guard let outcomes, let policy else { continue }
      guard let alternatives = outcomes.alternatives(for: user) else { return nil }
      candidates.append((policy, alternatives))
    }
    candidates.sort { $0.policy < $1.policy }
    return Assumptions.explore { facts in
      candidates.filter { facts.answer(among: $0.alternatives) == true }.map(\.policy)
    }
  }

  private mutating func addProtection(
    _ users: [Int], _ before: [Assumptions.Alternative<[Int]>]?,
    _ after: [Assumptions.Alternative<[Int]>]?, _ cell: Cell
  ) {
    guard let before, let after else {
      undecided.formUnion(users)
      return
    }
    for (left, right, conditions) in combinations(before, after, cell)
    where hasOtherEffect(left, right) {
      for (lockOuts, users) in usersByLockOut(users, left, right, conditions, cell) {
        let key = ProtectionKey(
          old: left, new: right, conditions: conditions, lockOuts: lockOuts)
        foundProtection[key, default: [:]][cell, default: []] += users
      }
    }
  }

  private func usersByLockOut(
    _ users: [Int], _ before: [Int], _ after: [Int], _ conditions: [TenantCondition], _ cell: Cell
  ) -> [LockOuts: [Int]] {
    Dictionary(grouping: users) { user in
      let blocks = [old, new].map { $0.blocks(of: user, on: cell.device) }
      return LockOuts(
        old: blocks[0].isEmpty
          ? old.lockOut(of: user, under: before, on: cell.device, if: conditions) : .never,
        new: blocks[1].isEmpty
          ? new.lockOut(of: user, under: after, on: cell.device, if: conditions) : .never,
        oldBlocks: blocks[0], newBlocks: blocks[1])
    }
  }

  private func hasOtherEffect(_ before: [Int], _ after: [Int]) -> Bool {
    guard !before.isEmpty, !after.isEmpty else { return before.isEmpty != after.isEmpty }
    return old.policy(before).settings != new.policy(after).settings
  }

  /// Returns the pairs of alternatives that can occur together, with their conditions.
  private func combinations<Answer>(
    _ before: [Assumptions.Alternative<Answer>], _ after: [Assumptions.Alternative<Answer>],
    _ cell: Cell
  ) -> [(before: Answer, after: Answer, conditions: [TenantCondition])] {
    let device = cell.device.running(cell.app)
    return before.flatMap { left in
      after.compactMap { right in
        var conditions = old.conditions(left.facts)
        for condition in new.conditions(right.facts) where !conditions.contains(condition) {
          conditions.append(condition)
        }
        return TenantCondition.areCompatible(conditions)
          && changed.canHold(left.facts, right.facts, on: device)
          ? (left.answer, right.answer, conditions) : nil
      }
    }
  }

  // MARK: Configurations

  mutating func compareConfigurations(in app: String, on device: TenantDevice) {
    for pair in configurationPairs {
      let before = pair.old.flatMap { configuration($0, old, app, device) }
      let after = pair.new.flatMap { configuration($0, new, app, device) }
      let isSame = hasSameEntries(pair)
      let touched = touched(before, after, isSame, nothing: deliveries.nothing)
      let cell = Cell(app: app, device: device)
      for (users, applied, applies, conditions) in answers(
        touched, before, after, absent: false, cell)
      where applied != applies || applied && !isSame {
        let key = DocumentKey(
          pair: pair, applied: applied, applies: applies, conditions: conditions)
        foundConfigurations[key, default: [:]][cell, default: []] += users
      }
    }
  }

  /// Returns the possible pairs of an old and a new answer, with their users. If an answer depends on too many unknown
  /// facts, adds its users to ``undecided``.
  ///
  /// - Parameter absent: The answer for a tenant that does not contain the document.
  private mutating func answers<Answer>(
    _ touched: [Int], _ before: UserOutcomes<Answer>?, _ after: UserOutcomes<Answer>?,
    absent: Answer, _ cell: Cell
  ) -> [(users: [Int], before: Answer, after: Answer, conditions: [TenantCondition])] {
    let none = Assumptions.explore { _ in absent }
    var found: [(users: [Int], before: Answer, after: Answer, conditions: [TenantCondition])] = []
    for users in blocks(of: touched, before, after) {
      guard let left = before.map({ $0.alternatives(for: users[0]) }) ?? none,
        let right = after.map({ $0.alternatives(for: users[0]) }) ?? none
      else {
        undecided.formUnion(users)
        continue
      }
      found += combinations(left, right, cell).map { (users, $0, $1, $2) }
    }
    return found
  }

  private mutating func configuration(
    _ index: Int, _ side: DiffSide, _ app: String, _ device: TenantDevice
  ) -> UserOutcomes<Bool>? {
    let tenant = side.tenant
    let configuration = tenant.configurations[index]
    guard
      ManagementState.allCases.contains(where: { configuration.targets(bundleID: app, state: $0) })
    else { return nil }
    let read = (configuration.assignments ?? []) + stateAssignments(tenant, app, device)
    return deliveries.outcomes(side.survey.blocks(of: read), on: side) { user, facts in
      TenantQuestion(tenant: tenant, user: user, app: app, device: device)
        .configuration(index, &facts).applies
    }
  }

  private func hasSameEntries(_ pair: DocumentPair) -> Bool {
    guard let old = pair.old, let new = pair.new else { return false }
    let entries = [
      self.old.tenant.configurations[old], self.new.tenant.configurations[new],
    ].map { $0.entries.reduce(into: [:]) { $0[$1.key] = $1.value } }
    return entries[0] == entries[1]
  }

  private func blocks<Answer>(
    of users: [Int], _ before: UserOutcomes<Answer>?, _ after: UserOutcomes<Answer>?
  ) -> [[Int]] {
    var blocks: [[Int]: [Int]] = [:]
    for user in users {
      blocks[[before?.id(of: user) ?? -1, after?.id(of: user) ?? -1], default: []].append(user)
    }
    return blocks.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  // MARK: Conditional access

  mutating func compareAccess(on device: TenantDevice) {
    for pair in accessPairs {
      let before = pair.old.map { demand(of: $0, old, device) }
      let after = pair.new.map { demand(of: $0, new, device) }
      let touched = touched(before, after, true, nothing: demands.nothing)
      let cell = Cell(app: "", device: device)
      for (users, asked, asks, conditions) in answers(touched, before, after, absent: nil, cell)
      where asked != asks {
        let key = AccessKey(pair: pair, old: asked, new: asks, conditions: conditions)
        foundAccess[key, default: [:]][cell, default: []] += users
      }
    }
  }

  private mutating func demand(
    of policy: Int, _ side: DiffSide, _ device: TenantDevice
  ) -> UserOutcomes<String?> {
    let tenant = side.tenant
    let document = tenant.conditionalAccess[policy]
    return demands.outcomes(side.survey.blocks(of: document), on: side) { user, facts in
      let judgement = TenantQuestion(tenant: tenant, user: user, app: "", device: device)
        .judgement(policy, &facts)
      guard judgement.applies != false else { return nil }
      return document.clause(of: judgement) + tenant.demands(of: document, judgement)
    }
  }

  // MARK: Results

  private struct Group {
    var users: [Int]
    var apps: [String]
    var devices: [TenantDevice]
  }

  /// Returns the users, apps and devices with a change. If the same users have the change on the same devices in
  /// several apps, the apps are in one group.
  private static func groups(_ cells: [Cell: [Int]], _ devices: [TenantDevice]) -> [Group] {
    let byUsers = Dictionary(grouping: cells.keys) { (cells[$0] ?? []).sorted() }
    return byUsers.flatMap { users, cells in
      let devicesOfApp = Dictionary(grouping: cells, by: \.app).mapValues { cells in
        devices.filter { device in cells.contains { $0.device == device } }
      }
      return Dictionary(grouping: devicesOfApp.keys) { devicesOfApp[$0] ?? [] }
        .map { devices, apps in Group(users: users, apps: apps.sorted(), devices: devices) }
    }
  }

  private func audience(_ group: Group, _ conditions: [TenantCondition]) -> TenantDiff.Audience {
    TenantDiff.Audience(
      users: group.users.map { .init(old: old.users[$0], new: new.users[$0]) },
      devices: group.devices, conditions: conditions)
  }

  /// The sort key of a change: descending number of users, then user, app and condition, then device and document.
  /// Every change has a different rank, so the order is the same in each run.
  private struct Rank: Comparable {
    let users: Int
    let first: Int
    let words: String
    let devices: [Int]
    let documents: [Int]

    init(
      _ audience: TenantDiff.Audience, _ words: [String], _ devices: [TenantDevice],
      _ documents: [Int?]
    ) {
      users = audience.users.count
      first = audience.users[0].old
      self.words = (words + audience.conditions.map(\.text)).joined(separator: "\n")
      self.devices = devices.indices.filter { audience.devices.contains(devices[$0]) }
      self.documents = documents.map { $0 ?? -1 }
    }

    static func < (left: Rank, right: Rank) -> Bool {
      guard left.users == right.users else { return left.users > right.users }
      guard left.first == right.first else { return left.first < right.first }
      guard left.words == right.words else { return left.words < right.words }
      guard left.devices == right.devices else {
        return left.devices.lexicographicallyPrecedes(right.devices)
      }
      return left.documents.lexicographicallyPrecedes(right.documents)
    }
  }

  private static func sorted<Change>(
    _ changes: [Change], by rank: (Change) -> Rank
  ) -> [Change] {
    changes.map { (rank: rank($0), change: $0) }.sorted { $0.rank < $1.rank }.map(\.change)
  }

  func protection(on devices: [TenantDevice]) -> [TenantDiff.ProtectionChange] {
    let changes = foundProtection.flatMap { key, cells in
      Self.groups(cells, devices).map { group in
        let audience = audience(group, key.conditions)
        let causes = policyPairs.compactMap { pair -> TenantDiffCause? in
          let applied = pair.old.map { key.old.contains($0) } ?? false
          let applies = pair.new.map { key.new.contains($0) } ?? false
          guard applied != applies else { return nil }
          return DiffReasons(
            old: old.tenant, new: new.tenant, group.apps[0], audience, comparing: changed
          )
          .cause(policy: pair)
        }
        return TenantDiff.ProtectionChange(
          audience: audience, apps: group.apps, old: key.old, new: key.new,
          before: old.policy(key.old), after: new.policy(key.new),
          oldLockOut: key.lockOuts.old, newLockOut: key.lockOuts.new,
          oldBlocks: key.lockOuts.oldBlocks, newBlocks: key.lockOuts.newBlocks, causes: causes)
      }
    }
    return Self.sorted(changes) { change in
      Rank(change.audience, change.apps, devices, change.old + [nil] + change.new)
    }
  }

  func configurations(on devices: [TenantDevice]) -> [TenantDiff.ConfigurationChange] {
    let changes = foundConfigurations.flatMap { key, cells in
      Self.groups(cells, devices).map { group in
        let audience = audience(group, key.conditions)
        let reasons = DiffReasons(
          old: old.tenant, new: new.tenant, group.apps[0], audience, comparing: changed)
        return TenantDiff.ConfigurationChange(
          audience: audience, apps: group.apps, old: key.applied ? key.pair.old : nil,
          new: key.applies ? key.pair.new : nil,
          causes: key.applied == key.applies ? [] : [reasons.cause(configuration: key.pair)])
      }
    }
    return Self.sorted(changes) { change in
      Rank(change.audience, change.apps, devices, [change.old, change.new])
    }
  }

  /// Returns the lock-outs that differ between the tenants if the conditions are met. Users are given by number.
  private func lockOuts(
    of users: [Int], in apps: [String], on devices: [TenantDevice],
    if conditions: [TenantCondition]
  ) -> [TenantDiff.LockOutChange] {
    struct Key: Hashable {
      var old: PolicyDemand
      var new: PolicyDemand
    }
    var found: [Key: [Cell: [Int]]] = [:]
    for device in devices {
      for app in apps {
        let sides = [old, new].map { $0.lockOuts(of: users, in: app, on: device) }
        for (user, (before, after)) in zip(users, zip(sides[0], sides[1])) where before != after {
          let key = Key(old: before.given(conditions), new: after.given(conditions))
          guard key.old != key.new else { continue }
          found[key, default: [:]][Cell(app: app, device: device), default: []].append(user)
        }
      }
    }
    let changes = found.flatMap { key, cells in
      Self.groups(cells, devices).map { group in
        TenantDiff.LockOutChange(
          audience: audience(group, conditions), apps: group.apps, old: key.old, new: key.new)
      }
    }
    return Self.sorted(changes) { change in
      Rank(
        change.audience, change.apps + [change.old, change.new].map { $0.lockOut ?? "" }, devices,
        [])
    }
  }

  func access(in apps: [String], on devices: [TenantDevice]) -> [TenantDiff.AccessChange] {
    let changes = foundAccess.flatMap { key, cells in
      Self.groups(cells, devices).map { group in
        let audience = audience(group, key.conditions)
        let reasons = DiffReasons(
          old: old.tenant, new: new.tenant, "", audience, comparing: changed)
        return TenantDiff.AccessChange(
          audience: audience, old: key.pair.old, new: key.pair.new, oldDemand: key.old,
          newDemand: key.new, rules: reasons.rules(access: key.pair),
          lockOuts: lockOuts(of: group.users, in: apps, on: group.devices, if: key.conditions))
      }
    }
    return Self.sorted(changes) { change in
      Rank(
        change.audience, [change.oldDemand, change.newDemand].compactMap(\.self), devices,
        [change.old, change.new])
    }
  }
}
