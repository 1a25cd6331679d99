internal import AppConfiguration
internal import Directory
internal import Enrollment
internal import GraphDocuments
internal import Policy

/// Evaluates documents for many users of a tenant. Users that a document cannot distinguish share one evaluation.
///
/// A user is identified by number: the index in ``users``.
final class UserSurvey {
  let tenant: Tenant
  /// The users, by their indices in the directory. No user occurs twice.
  let users: [Int]
  /// The members of the groups that documents name. Nil in a survey of a single user, which does not need them.
  private let extents: [Int: Directory.Extent]?
  /// For each user of the directory, the user's number in this survey; -1 for users who are not in the survey.
  private let numbers: [Int32]
  private var facts: [Int: TenantUser] = [:]
  private var blocks: [UserReading: UserBlocks] = [:]
  private var states: [StateQuestion: UserOutcomes<ManagementState>] = [:]
  private var policies: [PolicyQuestion: UserOutcomes<Bool>] = [:]
  private var answers: [AppQuestion: AppAnswers] = [:]
  /// The users by licence: with a licence, without a licence, or unknown. The largest of these three sets is omitted,
  /// because the other two sets determine it.
  private lazy var minoritiesByLicence: [[Int]] = {
    var found: [Bool?: [Int]] = [:]
    for (number, user) in users.enumerated() {
      found[tenant.directory.isLicensed(user), default: []].append(number)
    }
    return found.values.sorted { $0.count < $1.count }.dropLast()
  }()

  /// Creates a survey of some of a tenant's users.
  ///
  /// - Parameters:
  ///   - users: Indices of the directory.
  ///   - extents: The members of the groups that documents name, if they are known already.
  init(_ tenant: Tenant, users: [Int], _ extents: [Int: Directory.Extent]? = nil) {
    self.tenant = tenant
    self.users = users
    self.extents =
      users.count > 1 ? extents ?? tenant.directory.extents(of: tenant.namedGroups) : nil
    var numbers = Array(repeating: Int32(-1), count: tenant.directory.users.count)
    for (number, user) in users.enumerated() { numbers[user] = Int32(number) }
    self.numbers = numbers
  }

  func user(_ number: Int) -> TenantUser {
    if let user = facts[number] { return user }
    let user = TenantUser(users[number], of: tenant, extents)
    facts[number] = user
    return user
  }

  // MARK: Groups of users

  func blocks(of assignments: [Assignment]) -> UserBlocks {
    var reading = UserReading()
    for assignment in assignments {
      switch assignment.target {
      case .group(let reference):
        reading.add(tenant.directory.group(reference))
        reading.readsLicences = true
      case .exclusion(let reference): reading.add(tenant.directory.group(reference))
      case .allLicensedUsers: reading.readsLicences = true
      case .allDevices, .other: break
      }
    }
    return blocks(by: reading)
  }

  func blocks(of policy: ConditionalAccessPolicy) -> UserBlocks {
    var reading = UserReading()
    for principal in (policy.principals.included + policy.principals.excluded).flatMap(\.members) {
      switch principal {
      case .group(let id): reading.add(tenant.directory.group(GroupReference(id: id)))
      case .role: break
      case .guests: reading.readsGuests = true
      }
    }
    for name in policy.users.included.union(policy.users.excluded) {
      if let user = tenant.directory.user(name) { reading.named.insert(user) }
    }
    return blocks(by: reading)
  }

  private func blocks(by reading: UserReading) -> UserBlocks {
    if let known = blocks[reading] { return known }
    var partition = UserPartition(count: users.count)
    if let extents {
      for group in reading.groups.sorted() {
        guard let extent = extents[group] else { continue }
        split(extent.members, &partition)
        split(extent.unknown, &partition)
      }
      let directory = tenant.directory
      if reading.readsAbsentGroups {
        partition.split(users.indices.filter { directory.users[users[$0]].hasAllGroups })
      }
      if reading.readsLicences {
        for users in minoritiesByLicence { partition.split(users) }
      }
      if reading.readsGuests {
        let guests = users.map { tenant.isGuest($0) }
        partition.split(guests.indices.filter { guests[$0] == true })
        partition.split(guests.indices.filter { guests[$0] == nil })
      }
      for user in reading.named.sorted() where numbers[user] >= 0 {
        partition.split([Int(numbers[user])])
      }
    }
    let found = UserBlocks(partition)
    blocks[reading] = found
    return found
  }

  /// Splits the partition by the members who are in the survey.
  ///
  /// - Parameter members: Indices of the directory.
  private func split(_ members: some Sequence<Int>, _ partition: inout UserPartition) {
    partition.split(members.lazy.map { Int(self.numbers[$0]) }.filter { $0 >= 0 })
  }

  // MARK: Outcomes

  private func outcomes<Answer>(
    for blocks: UserBlocks, of question: (TenantUser, inout Assumptions) -> Answer
  ) -> UserOutcomes<Answer> {
    let alternatives = blocks.blocks.map { block in
      let user = user(block[0])
      return Assumptions.paths { question(user, &$0) }
    }
    return UserOutcomes(blocks, alternatives)
  }

  /// The inputs that determine an app's management state on a device; the cache key of ``states``.
  private struct StateQuestion: Hashable {
    var isNamedByIntune: Bool
    /// The configurations that may name the enrolled user to the app, by their indices.
    var configurations: [Int]
    /// The device, with the version of the app if filters depend on it.
    var device: TenantDevice
  }

  private func states(of app: String, _ question: StateQuestion) -> UserOutcomes<ManagementState> {
    if let known = states[question] { return known }
    let tenant = tenant
    let read = question.configurations.flatMap { tenant.configurations[$0].assignments ?? [] }
    let found = outcomes(for: blocks(of: read)) { user, facts in
      TenantQuestion(tenant: tenant, user: user, app: app, device: question.device).state(&facts)
    }
    states[question] = found
    return found
  }

  /// The inputs that determine whether a policy applies in an app that it targets; the cache key of ``policies``.
  private struct PolicyQuestion: Hashable {
    var policy: Int
    var state: ManagementState
    /// The device, with the version of the app if filters depend on it.
    var device: TenantDevice
  }

  private func outcomes(of app: String, _ question: PolicyQuestion) -> UserOutcomes<Bool> {
    if let known = policies[question] { return known }
    let tenant = tenant
    let read = tenant.policies[question.policy].assignments ?? []
    let found = outcomes(for: blocks(of: read)) { user, facts in
      TenantQuestion(tenant: tenant, user: user, app: app, device: question.device)
        .policy(question.policy, question.state, &facts).applies
    }
    policies[question] = found
    return found
  }

  // MARK: Apps

  /// The inputs that determine which policies apply together in an app on a device; the cache key of ``answers``.
  private struct AppQuestion: Hashable {
    var state: StateQuestion
    /// For each state of the app, the policies that target the app, by their indices.
    var targeting: [ManagementState: [Int]]
  }

  private func question(about app: String, on device: TenantDevice) -> AppQuestion {
    let isNamed = device.isManaged && ManagementState.intuneNamesUser(to: app)
    let configurations = tenant.configurations.indices.filter { index in
      let configuration = tenant.configurations[index]
      return device.isManaged && !isNamed && configuration.namesUser
        && configuration.targets(bundleID: app, state: .enrolled)
    }
    let states: [ManagementState] =
      device.isManaged
      ? isNamed ? [.enrolled] : [.enrolled, .enrolledWithoutUPN] : [.unenrolled]
    return AppQuestion(
      state: StateQuestion(
        isNamedByIntune: isNamed, configurations: configurations, device: device),
      targeting: states.reduce(into: [:]) { found, state in
        found[state] = tenant.policies.indices.filter {
          tenant.policies[$0].targets(bundleID: app, state: state).isTargeted
        }
      })
  }

  func answers(in app: String, on device: TenantDevice) -> AppAnswers {
    let device = tenant.judge.readsAppVersions ? device.running(app) : device
    let question = question(about: app, on: device)
    if let known = answers[question] { return known }
    var parts = AppParts(states: states(of: app, question.state))
    var partition = UserPartition(count: users.count)
    for users in parts.states.exceptions { partition.split(users) }
    for state in parts.states.answers {
      parts.policies[state] = (question.targeting[state] ?? []).map { policy in
        let outcomes = outcomes(
          of: app, PolicyQuestion(policy: policy, state: state, device: device))
        for users in outcomes.exceptions { partition.split(users) }
        return (policy, outcomes)
      }
    }
    let found = AppAnswers(partition) { number in
      parts.answer(for: number)
        ?? self.alternatives(for: number, in: app, on: device)
    }
    answers[question] = found
    return found
  }

  private func alternatives(
    for number: Int, in app: String, on device: TenantDevice
  ) -> [Assumptions.Alternative<AppAnswers.Answer>]? {
    let user = user(number)
    return Assumptions.paths { facts in
      let (policies, state) = tenant.policies(for: user, app: app, on: device, &facts)
      return AppAnswers.Answer(policies: policies, state: state)
    }
  }

  // MARK: Conditional access

  func judgements(
    of policy: Int, on device: TenantDevice
  ) -> (blocks: UserBlocks, results: [TenantAnswer.Result<ConditionalAccessPolicy.Judgement>]) {
    let blocks = blocks(of: tenant.conditionalAccess[policy])
    let results = blocks.blocks.map { block in
      tenant.conditionalAccess(policy, for: user(block[0]), on: device)
    }
    return (blocks, results)
  }
}

// MARK: - Groups of users

/// The properties of users that a set of documents evaluates; the cache key of ``UserSurvey/blocks``. Users with equal
/// properties are in one block.
private struct UserReading: Hashable {
  var groups: Set<Int> = []
  var readsAbsentGroups = false
  var readsLicences = false
  var readsGuests = false
  /// The users whom the documents name.
  var named: Set<Int> = []

  /// Adds a group that a document names; nil for a group that the export does not contain.
  mutating func add(_ group: Int?) {
    if let group { groups.insert(group) } else { readsAbsentGroups = true }
  }
}

/// The users of a survey, grouped into blocks. A set of documents cannot distinguish the users of a block by name,
/// group, licence or guest state.
struct UserBlocks {
  /// For each user, the index of the block.
  let labels: [Int32]
  /// The users of each block, the largest first.
  let blocks: [[Int]]

  init(_ partition: UserPartition) {
    blocks = partition.blocks(of: partition.labels.indices).sorted {
      ($1.count, $0[0]) < ($0.count, $1[0])
    }
    var labels = Array(repeating: Int32(0), count: partition.labels.count)
    for (index, block) in blocks.enumerated().dropFirst() {
      for user in block { labels[user] = Int32(index) }
    }
    self.labels = labels
  }
}

// MARK: - Outcomes

/// The answers to one question for all users of a survey.
struct UserOutcomes<Answer: Hashable & Sendable> {
  typealias Alternatives = [Assumptions.Alternative<Answer>]

  let blocks: UserBlocks
  /// For each block, the identifier of its outcome. Equal outcomes have the same identifier.
  let ids: [Int]
  /// The alternatives of each block; nil if they depend on too many unknown facts.
  let alternatives: [Alternatives?]

  private struct Branch: Hashable {
    var facts: [UnknownFact]
    var hold: [Bool]
    var answer: Answer
  }

  init(blocks: UserBlocks, ids: [Int], alternatives: [Alternatives?]) {
    self.blocks = blocks
    self.ids = ids
    self.alternatives = alternatives
  }

  /// Creates the outcomes. Blocks with equal alternatives get the same identifier. Each block without alternatives gets
  /// an identifier of its own, because its users may differ in the unknown facts.
  init(_ blocks: UserBlocks, _ alternatives: [Alternatives?]) {
    var numbers: [[Branch]: Int] = [:]
    var count = 0
    let ids = alternatives.map { alternatives in
      // Users with too many unknown facts may differ in these facts.
      let branches = alternatives?.map {
        Branch(facts: $0.facts.map(\.fact), hold: $0.facts.map(\.holds), answer: $0.answer)
      }
      if let known = branches.flatMap({ numbers[$0] }) { return known }
      if let branches { numbers[branches] = count }
      count += 1
      return count - 1
    }
    self.init(blocks: blocks, ids: ids, alternatives: alternatives)
  }

  func id(of user: Int) -> Int { ids[Int(blocks.labels[user])] }

  func alternatives(for user: Int) -> Alternatives? { alternatives[Int(blocks.labels[user])] }

  /// The users whose outcome differs from the outcome of the largest block, grouped by outcome.
  var exceptions: [[Int]] {
    var found: [Int: [Int]] = [:]
    for (index, block) in blocks.blocks.enumerated() where ids[index] != ids[0] {
      found[ids[index], default: []] += block
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  var answers: Set<Answer> {
    Set(alternatives.compactMap(\.self).joined().map(\.answer))
  }
}

/// The partial results for an app on a device: for each user, the app's management state and the policies that apply.
private struct AppParts {
  let states: UserOutcomes<ManagementState>
  /// For each state of the app, the policies that target the app, by their indices, with the users to whom each policy
  /// applies.
  var policies: [ManagementState: [(policy: Int, outcomes: UserOutcomes<Bool>)]] = [:]

  init(states: UserOutcomes<ManagementState>) { self.states = states }

  /// Returns the answer for a user, combined from the app's state and the results of the single policies. The same
  /// facts are evaluated, in the same order, as for a question about all documents at once. Nil if a result depends on
  /// too many unknown facts.
  func answer(for user: Int) -> [Assumptions.Alternative<AppAnswers.Answer>]? {
    guard let states = states.alternatives(for: user) else { return nil }
    if let known = states.known(), let policies = policies[known] {
      var found: [Int] = []
      for (policy, outcomes) in policies {
        guard let applies = outcomes.alternatives(for: user)?.known() else {
          return answer(for: user, states)
        }
        if applies { found.append(policy) }
      }
      return [Assumptions.Alternative(answer: AppAnswers.Answer(policies: found, state: known))]
    }
    return answer(for: user, states)
  }

  private func answer(
    for user: Int, _ states: UserOutcomes<ManagementState>.Alternatives
  ) -> [Assumptions.Alternative<AppAnswers.Answer>]? {
    var candidates: [ManagementState: [(policy: Int, [Assumptions.Alternative<Bool>])]] = [:]
    for state in Set(states.map(\.answer)) {
      for (policy, outcomes) in policies[state] ?? [] {
        guard let alternatives = outcomes.alternatives(for: user) else { return nil }
        candidates[state, default: []].append((policy, alternatives))
      }
    }
    return Assumptions.paths { facts in
      guard let state = facts.answer(among: states) else {
        return AppAnswers.Answer(policies: [], state: .unenrolled)
      }
      let policies = (candidates[state] ?? []).filter { facts.answer(among: $0.1) == true }
      return AppAnswers.Answer(policies: policies.map(\.policy), state: state)
    }
  }
}

/// The answers for one app on one device: for each user of a survey, the app's management state and the policies that
/// apply.
struct AppAnswers {
  struct Answer: Hashable, Sendable {
    var policies: [Int]
    var state: ManagementState
  }

  typealias Alternatives = [Assumptions.Alternative<Answer>]

  /// For each user, the index of the answer in ``alternatives``.
  let labels: [Int32]
  /// The distinct answers; nil for an answer that depends on too many unknown facts.
  let alternatives: [Alternatives?]

  func alternatives(for user: Int) -> Alternatives? { alternatives[Int(labels[user])] }

  /// The users whose answer differs from the most frequent answer, grouped by answer.
  var exceptions: [[Int]] {
    var users = Array(repeating: [Int](), count: alternatives.count)
    for (user, label) in labels.enumerated() { users[Int(label)].append(user) }
    let largest = users.indices.max { users[$0].count < users[$1].count }
    return users.indices.filter { $0 != largest }.map { users[$0] }
  }

  /// For each element of ``alternatives``, the sets of policies without the management states.
  var effective: [[Assumptions.Alternative<[Int]>]?] {
    alternatives.map { alternatives in
      alternatives.map { alternatives in
        Assumptions.united(
          alternatives.map { .init(facts: $0.facts, answer: $0.answer.policies) })
      }
    }
  }

  /// Creates the answers for all users.
  ///
  /// - Parameters:
  ///   - partition: A partition into blocks of users with equal answers.
  ///   - question: Returns the answer for a user.
  fileprivate init(_ partition: UserPartition, _ question: (Int) -> Alternatives?) {
    var labels = Array(repeating: Int32(0), count: partition.labels.count)
    var alternatives: [Alternatives?] = []
    var places: [Answer: Int32] = [:]
    for block in partition.blocks(of: partition.labels.indices) {
      let found = question(block[0])
      let known = found?.known()
      let place = known.flatMap { places[$0] } ?? Int32(alternatives.count)
      if Int(place) == alternatives.count { alternatives.append(found) }
      if let known { places[known] = place }
      for user in block { labels[user] = place }
    }
    self.labels = labels
    self.alternatives = alternatives
  }
}
