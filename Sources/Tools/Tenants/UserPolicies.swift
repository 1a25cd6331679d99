package import Analysis
internal import Directory
package import GraphDocuments
internal import Output
package import Policy

/// The policies of a user on a device: in each app, the policies that apply together.
package struct UserPolicies: Sendable, Hashable {
  /// Apps in which the same policies apply.
  package struct Part: Sendable, Hashable {
    /// Lowercase bundle ids, in the order of the question. `*` stands for all apps that no document names, and
    /// `com.microsoft.*` for Microsoft's apps among them.
    package var apps: [String]
    /// The policies, by their indices in the tenant. Empty if no policy applies.
    package var policies: [Int]
    package var state: ManagementState
  }

  /// The parts, in the order of the question.
  package let parts: [Part]

  /// The part that contains the app; nil if the question did not include it.
  package subscript(app: String) -> Part? {
    parts.first { $0.apps.contains(app.lowercased()) }
  }
}

extension UserPolicies {
  /// Creates a user's policies from the answers about each app.
  ///
  /// - Parameter answers: The policies that apply together in each app, and the app's state.
  fileprivate init(of answers: [(policies: [Int], state: ManagementState)], in apps: [String]) {
    var parts: [Part] = []
    for (app, (policies, state)) in zip(apps, answers) {
      if let part = parts.firstIndex(where: { $0.policies == policies && $0.state == state }) {
        parts[part].apps.append(app)
      } else {
        parts.append(Part(apps: [app], policies: policies, state: state))
      }
    }
    self.parts = parts
  }
}

/// A fact that the export does not state, and its assumed value.
package struct TenantCondition: Sendable, Hashable {
  /// The fact as an affirmative clause. Conditions with equal clauses are about the same fact.
  package let fact: String
  package let holds: Bool
  /// The condition as a clause: ``anna@contoso.com is not in `Sales` ``.
  package let text: String

  /// Returns whether all conditions can hold together, without contradicting each other.
  package static func areCompatible(_ conditions: [TenantCondition]) -> Bool {
    var known: [String: Bool] = [:]
    return conditions.allSatisfy { condition in
      let before = known.updateValue(condition.holds, forKey: condition.fact)
      return before ?? condition.holds == condition.holds
    }
  }

  /// The maximum number of alternatives for which ``simplified(_:)`` simplifies conditions. If there are more, it only
  /// removes duplicates.
  private static let maximumSimplified = 128

  /// Returns equivalent alternatives with fewer conditions. An alternative holds if all of its conditions are met, so
  /// one without conditions always holds.
  ///
  /// - Parameter alternatives: The conditions of each alternative.
  static func simplified(_ alternatives: [[TenantCondition]]) -> [[TenantCondition]] {
    var seen: Set<Set<TenantCondition>> = []
    var found = alternatives.map { alternative in
      var known: Set<TenantCondition> = []
      return alternative.filter { known.insert($0).inserted }
    }.filter { seen.insert(Set($0)).inserted }
    guard found.count <= maximumSimplified else { return found }
    while let (index, simpler) = simplification(of: found) {
      if let simpler { found[index] = simpler } else { found.remove(at: index) }
    }
    return found
  }

  /// Finds an alternative that can be simplified or removed; nil if there is none. `simpler` is the simplified
  /// alternative; nil if the alternative can be removed.
  private static func simplification(
    of alternatives: [[TenantCondition]]
  ) -> (index: Int, simpler: [TenantCondition]?)? {
    for (index, some) in alternatives.enumerated() {
      for (place, others) in alternatives.enumerated() where place != index {
        let missing = others.filter { !some.contains($0) }
        guard let only = missing.first else { return (index, nil) }
        // `a, or not a and b` is `a, or b`.
        guard missing.count == 1,
          let opposite = some.firstIndex(where: { $0.fact == only.fact && $0.holds != only.holds })
        else { continue }
        var simpler = some
        simpler.remove(at: opposite)
        return (index, simpler)
      }
    }
    return nil
  }
}

/// Users who get the same policies in the same apps.
package struct PolicyAudience: Sendable {
  /// Users, and the conditions under which they get the policies.
  package struct Member: Sendable {
    /// The users of the class. Nil if the export contains no users; the member then stands for any licensed user.
    package var users: UserClass?
    /// The conditions under which the users get the policies. The export does not state these facts.
    package var conditions: [TenantCondition]
  }

  /// The groups of users with these policies; at least one.
  package var members: [Member]
  /// The policies of the users. Nil if they depend on too many unknown facts.
  package var policies: UserPolicies?
  /// The facts on which the policies depend, as clauses, if ``policies`` is nil; otherwise empty.
  package var unknownFacts: [String] = []

  /// A representative user; nil if the export contains no users.
  package var representative: Int? { members.first?.users?.representative }

  fileprivate var count: Int { members.reduce(0) { $0 + ($1.users?.users.count ?? 0) } }
}

/// An arbitrary user, for answers about an export that contains no users. All memberships are unknown. The user has a
/// licence, because users without one get no policy.
private struct AnyUser: UserFacts {
  let isLicensed: Bool? = true
  let hasAllGroups = false

  func membership(_ group: Int) -> Bool? { nil }
}

/// Groups users by equal policies, and within each group by equal conditions.
private struct AudienceList {
  struct Place {
    var audience: Int
    var member: Int
  }

  private struct Member {
    var users: [Int]?
    var conditions: [TenantCondition]
  }

  private var found: [(policies: UserPolicies?, members: [Member])] = []
  private var places: [UserPolicies?: Int] = [:]
  private var members: [UserPolicies?: [[TenantCondition]: Int]] = [:]
  private var unknownFacts: [String] = []

  /// Adds users who get the policies under the conditions.
  ///
  /// - Parameter users: Nil for any user.
  @discardableResult
  mutating func add(
    _ users: UserClass?, _ policies: UserPolicies?, _ conditions: [TenantCondition]
  ) -> Place {
    let audience = places[policies] ?? found.count
    if audience == found.count {
      places[policies] = audience
      found.append((policies, []))
    }
    if let member = members[policies]?[conditions], let users {
      let place = Place(audience: audience, member: member)
      add(users, at: place)
      return place
    }
    let place = Place(audience: audience, member: found[audience].members.count)
    members[policies, default: [:]][conditions] = place.member
    found[audience].members.append(Member(users: users?.users, conditions: conditions))
    return place
  }

  mutating func add(_ users: UserClass, at place: Place) {
    found[place.audience].members[place.member].users? += users.users
  }

  /// Adds the facts on which users' policies depend, for users with too many cases to list.
  mutating func add(unknownFacts facts: [String]) {
    unknownFacts = (unknownFacts + facts).unique
  }

  /// The audiences, ordered by descending number of users.
  var audiences: [PolicyAudience] {
    let audiences = found.map { policies, members in
      PolicyAudience(
        members: members.map { member in
          .init(
            users: member.users.map { UserClass(users: $0.sorted()) },
            conditions: member.conditions)
        }, policies: policies, unknownFacts: policies == nil ? unknownFacts : [])
    }
    return audiences.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    .map(\.element)
  }
}

/// The sets of policies that apply together, with the users and apps that get each set.
package struct PoliciesByRecipient: Sendable {
  /// Policies that apply together, with their recipients.
  package struct Group: Sendable {
    /// The policies of the group, merged into one policy.
    package var policy: PolicyDocument
    package var state: ManagementState
    package var recipients: [PolicyRecipients]
  }

  package private(set) var groups: [Group] = []
  package private(set) var unprotected: [PolicyRecipients] = []
  /// The users whose policies in some apps depend on too many unknown facts, with these apps.
  package private(set) var unknown: [PolicyRecipients] = []
  /// The facts on which the policies of ``unknown`` depend, as clauses.
  package private(set) var unknownFacts: [String] = []
  /// The distinct sets of policies found so far, in the order in which they were found. Each set has its recipients,
  /// with the apps in which each recipient gets the policies. `part` is the set without apps; nil if the policies are
  /// unknown.
  private var parts: [(part: UserPolicies.Part?, apps: [(PolicyRecipients, [String])])] = []
  /// The index of each part in ``parts``.
  private var places: [UserPolicies.Part?: Int] = [:]

  /// Adds recipients of policies in an app.
  ///
  /// - Parameter part: The policies that reach the recipients in the app; nil if unknown.
  fileprivate mutating func add(
    _ recipients: [PolicyRecipients], _ part: UserPolicies.Part?, in app: String,
    unknownFacts facts: [String]
  ) {
    unknownFacts = (unknownFacts + facts).unique
    var key = part
    key?.apps = []
    let place = places[key] ?? parts.count
    if place == parts.count {
      places[key] = place
      parts.append((key, []))
    }
    for recipient in recipients {
      if let known = parts[place].apps.firstIndex(where: { $0.0 == recipient }) {
        parts[place].apps[known].1.append(app)
      } else {
        parts[place].apps.append((recipient, [app]))
      }
    }
  }

  fileprivate mutating func finish(with tenant: Tenant) {
    for (part, found) in parts {
      let recipients = found.map { recipient, apps in
        var recipient = recipient
        recipient.apps = apps
        return recipient
      }
      guard let part else {
        unknown = recipients
        continue
      }
      guard let policy = tenant.policy(of: part) else {
        unprotected += recipients
        continue
      }
      groups.append(Group(policy: policy, state: part.state, recipients: recipients))
    }
    parts = []
  }
}

extension Tenant {
  /// Bundle ids that represent all apps: the bundle ids that documents name, and patterns such as `com.microsoft.*` for
  /// other apps.
  package var sampleApps: [String] {
    policies.reduce(into: Set(bundleIDs)) { $0.formUnion($1.targeting.sampleApps) }.sorted()
  }

  /// Returns the users grouped by their policies, the largest groups first.
  ///
  /// - Parameters:
  ///   - users: The selected users; nil for all. If the export contains no users, an arbitrary user is used.
  ///   - name: The words for the user in conditions; nil for `the user`.
  ///   - apps: Lowercase bundle ids; nil for ``sampleApps``. An unknown result of a filter on app versions is a
  ///     separate fact for each given app. If `apps` is nil, it is a single fact for all apps.
  package func audiences(
    of users: [UserClass]? = nil, called name: String? = nil, in apps: [String]? = nil,
    on device: TenantDevice
  ) -> [PolicyAudience] {
    var device = device
    if let apps, apps.count > 1 { device.hasSeveralApps = true }
    return audiences(subjects(users), called: name, in: apps ?? sampleApps, on: device)
  }

  /// Returns the policies with their recipients. Each app is evaluated separately, so a recipient has only the
  /// conditions that affect this app.
  ///
  /// - Parameter users: The selected users; nil for all. If the export contains no users, an arbitrary user is used.
  package func policiesByRecipient(
    of users: [UserClass]? = nil, on device: TenantDevice
  ) -> PoliciesByRecipient {
    let subjects = subjects(users)
    var found = PoliciesByRecipient()
    for app in sampleApps {
      for audience in audiences(subjects, called: nil, in: [app], on: device) {
        found.add(
          recipients(audience), audience.policies?.parts.first, in: app,
          unknownFacts: audience.unknownFacts)
      }
    }
    found.finish(with: self)
    return found
  }

  /// The classes of users to evaluate.
  private struct Subjects {
    let classes: [UserClass]
    /// A survey of one user from each class.
    let survey: UserSurvey
  }

  /// Returns the given classes of users, or all classes; nil if the export contains no users.
  private func subjects(_ users: [UserClass]?) -> Subjects? {
    guard !directory.users.isEmpty else { return nil }
    let classes = users ?? classes()
    return Subjects(
      classes: classes, survey: UserSurvey(self, users: classes.map(\.representative)))
  }

  private func audiences(
    _ subjects: Subjects?, called name: String?, in apps: [String], on device: TenantDevice
  ) -> [PolicyAudience] {
    var found = AudienceList()
    guard let subjects else {
      let question = question(about: AnyUser(), in: apps, on: device)
      let alternatives = Assumptions.explore(question)
      for (policies, conditions) in outcomes(alternatives, of: nil, called: name) {
        found.add(nil, policies, conditions)
      }
      if alternatives == nil {
        found.add(unknownFacts: texts(of: Assumptions.facts(of: question), for: nil, called: name))
      }
      return found.audiences
    }
    let (labels, alternatives) = Self.policies(of: subjects, in: apps, on: device)
    // For each label, the member whom users join without conditions.
    var places: [Int: AudienceList.Place] = [:]
    // The labels whose answers depend on too many facts and whose facts are already in the result.
    var named: Set<Int> = []
    for (number, (users, label)) in zip(subjects.classes, labels).enumerated() {
      if let place = places[label] {
        found.add(users, at: place)
        continue
      }
      for (policies, conditions) in outcomes(alternatives[label], of: users, called: name) {
        let place = found.add(users, policies, conditions)
        if alternatives[label]?.known() != nil { places[label] = place }
      }
      guard alternatives[label] == nil, named.insert(label).inserted else { continue }
      let facts = Assumptions.facts(
        of: question(about: subjects.survey.user(number), in: apps, on: device))
      // All such classes share one audience.
      let only = subjects.classes.count == 1 ? users : nil
      found.add(unknownFacts: texts(of: facts, for: only, called: name))
    }
    return found.audiences
  }

  /// Returns the distinct answers about all apps (`alternatives`) and, for each class, the index of its answer
  /// (`labels`). An answer is nil if it depends on too many unknown facts.
  private static func policies(
    of subjects: Subjects, in apps: [String], on device: TenantDevice
  ) -> (labels: [Int], alternatives: [[Assumptions.Alternative<UserPolicies>]?]) {
    let answers = apps.map { subjects.survey.answers(in: $0, on: device) }
    var partition = UserPartition(count: subjects.classes.count)
    for users in answers.flatMap(\.exceptions) { partition.split(users) }
    var labels = Array(repeating: 0, count: subjects.classes.count)
    var alternatives: [[Assumptions.Alternative<UserPolicies>]?] = []
    for block in partition.blocks(of: labels.indices) {
      for number in block { labels[number] = alternatives.count }
      let parts = answers.map { $0.alternatives(for: block[0]) }
      guard parts.allSatisfy({ $0 != nil }) else {
        alternatives.append(nil)
        continue
      }
      alternatives.append(
        Assumptions.explore { facts in
          let answers = parts.compactMap(\.self).compactMap { facts.answer(among: $0) }
          return UserPolicies(of: answers.map { ($0.policies, $0.state) }, in: apps)
        })
    }
    return (labels, alternatives)
  }

  private func question(
    about user: some UserFacts & Sendable, in apps: [String], on device: TenantDevice
  ) -> (inout Assumptions) -> UserPolicies {
    { facts in
      let answers = apps.map { policies(for: user, app: $0, on: device, &facts) }
      return UserPolicies(of: answers, in: apps)
    }
  }

  private func texts(
    of facts: [UnknownFact], for users: UserClass?, called name: String?
  ) -> [String] {
    conditions(facts.map { ($0, true) }, of: users, called: name).map(\.text)
  }

  private func outcomes(
    _ alternatives: [Assumptions.Alternative<UserPolicies>]?, of users: UserClass?,
    called name: String?
  ) -> [(policies: UserPolicies?, conditions: [TenantCondition])] {
    alternatives?.map { ($0.answer, conditions($0.facts, of: users, called: name)) } ?? [(nil, [])]
  }

  func conditions(
    _ facts: [(fact: UnknownFact, holds: Bool)], of users: UserClass? = nil,
    called name: String? = nil
  ) -> [TenantCondition] {
    let single = users.flatMap { $0.users.count == 1 ? $0.representative : nil }
    let subject = single.map { directory.users[$0].upn } ?? name
    return facts.map { fact, holds in
      TenantCondition(
        fact: text(of: fact, holds: true, for: subject), holds: holds,
        text: text(of: fact, holds: holds, for: subject))
    }
  }

  // MARK: In words

  /// Returns a description of each member, such as `2 users like anna@contoso.com`.
  package func recipients(
    _ audience: PolicyAudience, in apps: [String] = []
  ) -> [PolicyRecipients] {
    audience.members.map { member in
      PolicyRecipients(
        count: member.users?.users.count,
        like: member.users.map { directory.users[$0.representative].upn },
        conditions: member.conditions.map(\.text), apps: apps)
    }
  }

  /// Merges the part's policies into one policy that targets the part's apps. Returns nil if the part has no policy.
  package func policy(of part: UserPolicies.Part) -> PolicyDocument? {
    let documents = part.policies.map { policies[$0] }
    let targeting = Targeting(bundleIDs: part.apps)
    guard documents.count < 2 else { return PolicyDocument(merging: documents, for: targeting) }
    guard var policy = documents.first else { return nil }
    policy.targeting = targeting
    policy.assignments = nil
    policy.warnings = []
    return policy
  }
}
