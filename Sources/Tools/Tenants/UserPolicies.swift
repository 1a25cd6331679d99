package import Analysis
internal import Directory
package import GraphDocuments
internal import Output
package import Policy

/// What a user gets on a device: in each app, the policies that apply together.
package struct UserPolicies: Sendable, Hashable {
  /// Apps in which the same policies apply.
  package struct Part: Sendable, Hashable {
    /// Lowercase bundle ids, in order. `*` stands for all apps that no document names,
    /// `com.microsoft.*` for those of Microsoft.
    package var apps: [String]
    /// The policies, by their indices in the tenant. Empty if none applies.
    package var policies: [Int]
    /// The management state of the apps.
    package var state: ManagementState
  }

  /// In the order of the first app.
  package let parts: [Part]

  /// The part that contains the app; nil if the question did not include it.
  package subscript(app: String) -> Part? {
    parts.first { $0.apps.contains(app.lowercased()) }
  }
}

/// A fact that the export does not state, and how it turns out.
package struct TenantCondition: Sendable, Hashable {
  /// The fact as a clause, as if it held. Two conditions with equal facts are about the same.
  package let fact: String
  package let holds: Bool
  /// The condition as a clause: ``anna@contoso.com is not in `Sales` ``.
  package let text: String

  /// Returns whether some world meets all conditions: none contradicts another.
  package static func areCompatible(_ conditions: [TenantCondition]) -> Bool {
    var known: [String: Bool] = [:]
    return conditions.allSatisfy { condition in
      let before = known.updateValue(condition.holds, forKey: condition.fact)
      return before ?? condition.holds == condition.holds
    }
  }
}

/// Users who get the same policies in the same apps.
package struct PolicyAudience: Sendable {
  /// Users, and the conditions under which they get the policies.
  package struct Member: Sendable {
    /// Nil for any user with a licence: the export contains no users.
    package var users: UserClass?
    /// Facts that the export does not state; empty if it states all that matters.
    package var conditions: [TenantCondition]
  }

  /// At least one.
  package var members: [Member]
  /// Nil if the policies depend on too many unknown facts.
  package var policies: UserPolicies?
  /// The facts on which policies depend that are nil, as clauses; empty for others.
  package var unknownFacts: [String] = []

  /// A representative user; nil if the export contains no users.
  package var representative: Int? { members.first?.users?.representative }

  /// The number of users.
  fileprivate var count: Int { members.reduce(0) { $0 + ($1.users?.users.count ?? 0) } }
}

/// A user without facts in the export. The user has a licence, because users without one get no
/// policy.
private struct AnyUser: UserFacts {
  let isLicensed: Bool? = true
  let hasAllGroups = false

  func membership(_ group: Int) -> Bool? { nil }
}

/// The sets of policies that apply together, with the users and apps that get each set.
package struct PoliciesByRecipient: Sendable {
  /// Policies that apply together.
  package struct Group: Sendable {
    /// One policy with the effect of all.
    package var policy: PolicyDocument
    /// The management state of the apps.
    package var state: ManagementState
    package var recipients: [PolicyRecipients]
  }

  package private(set) var groups: [Group] = []
  /// The users and apps without a policy.
  package private(set) var unprotected: [PolicyRecipients] = []
  /// The users and apps whose policies depend on too many unknown facts.
  package private(set) var unknown: [PolicyRecipients] = []
  /// The facts on which the policies of ``unknown`` depend, as clauses.
  package private(set) var unknownFacts: [String] = []
  /// In the order in which they were found.
  private var parts: [(part: UserPolicies.Part?, apps: [(PolicyRecipients, [String])])] = []

  /// - Parameter part: The policies that reach the recipients in the app; nil if unknown.
  fileprivate mutating func add(
    _ recipients: [PolicyRecipients], _ part: UserPolicies.Part?, in app: String,
    unknownFacts facts: [String]
  ) {
    unknownFacts = (unknownFacts + facts).unique
    var key = part
    key?.apps = []
    let place = parts.firstIndex { $0.part == key } ?? parts.count
    if place == parts.count { parts.append((key, [])) }
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
  /// One representative for every app: the apps that documents name, and those that represent
  /// others.
  package var sampleApps: [String] {
    policies.reduce(into: Set(bundleIDs)) { $0.formUnion($1.targeting.sampleApps) }.sorted()
  }

  /// Returns the users grouped by their policies, the largest groups first.
  ///
  /// - Parameters:
  ///   - users: The selected users; nil for all. If the export contains no users, an arbitrary user
  ///     is used.
  ///   - name: The name of any user in conditions; nil for `the user`.
  ///   - apps: Lowercase bundle ids; nil for ``sampleApps``.
  package func audiences(
    of users: [UserClass]? = nil, called name: String? = nil, in apps: [String]? = nil,
    on device: TenantDevice
  ) -> [PolicyAudience] {
    audiences(subjects(users), called: name, in: apps ?? sampleApps, on: device)
  }

  /// Returns the policies with their recipients. Each app is evaluated separately, so it has only
  /// the conditions that matter there.
  ///
  /// - Parameter users: The selected users; nil for all. If the export contains no users, an
  ///   arbitrary user is used.
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

  /// The representative of a class, or an arbitrary user if there are no classes.
  private typealias Subject = (users: UserClass?, facts: TenantUser?)

  private func subjects(_ users: [UserClass]?) -> [Subject] {
    guard !directory.users.isEmpty else { return [(nil, nil)] }
    let classes = users ?? classes()
    let extents = classes.count > 1 ? directory.extents(of: namedGroups) : nil
    return classes.map { ($0, TenantUser($0.representative, of: self, extents)) }
  }

  private func audiences(
    _ subjects: [Subject], called name: String?, in apps: [String], on device: TenantDevice
  ) -> [PolicyAudience] {
    let answers = subjects.map { users, facts in
      let question = { (assumptions: inout Assumptions) in
        if let facts { return policies(for: facts, in: apps, on: device, &assumptions) }
        return policies(for: AnyUser(), in: apps, on: device, &assumptions)
      }
      let alternatives = Assumptions.explore(question)
      return Answered(
        users: users, alternatives: alternatives,
        unknownFacts: alternatives == nil ? Assumptions.facts(of: question) : [])
    }
    return audiences(answers, called: name)
  }

  private func policies(
    for user: some UserFacts, in apps: [String], on device: TenantDevice,
    _ facts: inout Assumptions
  ) -> UserPolicies {
    var parts: [UserPolicies.Part] = []
    for app in apps {
      let (policies, state) = policies(for: user, app: app, on: device, &facts)
      if let part = parts.firstIndex(where: { $0.policies == policies && $0.state == state }) {
        parts[part].apps.append(app)
      } else {
        parts.append(UserPolicies.Part(apps: [app], policies: policies, state: state))
      }
    }
    return UserPolicies(parts: parts)
  }

  /// What the users of a class get.
  private struct Answered {
    var users: UserClass?
    /// Nil if the answer depends on too many unknown facts.
    var alternatives: [Assumptions.Alternative<UserPolicies>]?
    /// The facts on which an answer without alternatives depends.
    var unknownFacts: [UnknownFact]
  }

  /// Brings together the users with equal policies, and of those the users under equal conditions.
  private func audiences(
    _ answers: [Answered], called name: String? = nil
  ) -> [PolicyAudience] {
    var found: [PolicyAudience] = []
    var places: [UserPolicies?: Int] = [:]
    var memberPlaces: [UserPolicies?: [[TenantCondition]: Int]] = [:]
    for answer in answers {
      let users = answer.users
      let outcomes: [(policies: UserPolicies?, conditions: [TenantCondition])] =
        answer.alternatives.map { alternatives in
          alternatives.map { ($0.answer, conditions($0.facts, of: users, called: name)) }
        } ?? [(nil, [])]
      let facts = conditions(
        answer.unknownFacts.map { ($0, true) }, of: users, called: name
      ).map(\.text)
      for (policies, conditions) in outcomes {
        let member = PolicyAudience.Member(users: users, conditions: conditions)
        guard let place = places[policies] else {
          places[policies] = found.count
          memberPlaces[policies] = [conditions: 0]
          found.append(
            PolicyAudience(members: [member], policies: policies, unknownFacts: facts))
          continue
        }
        found[place].unknownFacts = (found[place].unknownFacts + facts).unique
        if let known = memberPlaces[policies]?[conditions], let users {
          let others = found[place].members[known].users?.users ?? []
          found[place].members[known].users = UserClass(users: others + users.users)
        } else {
          memberPlaces[policies]?[conditions] = found[place].members.count
          found[place].members.append(member)
        }
      }
    }
    for place in found.indices {
      for member in found[place].members.indices {
        guard let users = found[place].members[member].users else { continue }
        found[place].members[member].users = UserClass(users: users.users.sorted())
      }
    }
    return found.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    .map(\.element)
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

  /// Returns the users in words, one text for each member: `2 users like anna@contoso.com`.
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

  /// Returns one policy with the effect of all policies of a part, targeted at its apps; nil if there are none.
  package func policy(of part: UserPolicies.Part) -> PolicyDocument? {
    let documents = part.policies.map { policies[$0] }
    guard var policy = documents.first else { return nil }
    policy.targeting = Targeting(bundleIDs: part.apps)
    policy.assignments = nil
    policy.warnings = []
    guard documents.count > 1 else { return policy }
    let merged = EffectivePolicy.merging(documents)
    policy.id = nil
    policy.displayName = documents.map(\.displayName).joined(separator: " + ")
    policy.file = documents.map(\.file).unique.joined(separator: ", ")
    policy.settings = merged.settings
    policy.origins = merged.origins
    policy.unknownProperties = []
    return policy
  }
}
