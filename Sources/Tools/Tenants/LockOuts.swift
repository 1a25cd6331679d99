internal import Directory
internal import Encodings
internal import Enrollment
internal import GraphDocuments
internal import Output

// A user is locked out if conditional access demands an app protection policy, and none applies. Both may depend on
// facts that the export does not state.

/// The cases in which conditional access requires that a user has an app protection policy on a device.
package struct PolicyDemand: Hashable, Sendable {
  /// The cases. Each case is a list of conditions that are all met in this case. If a policy is always required, there
  /// is a single case without conditions. If a policy is never required, there is no case.
  package let cases: [[TenantCondition]]

  static let never = Self([])

  init(_ cases: [[TenantCondition]]) {
    self.cases = cases.contains { $0.isEmpty } ? [[]] : TenantCondition.simplified(cases)
  }

  /// Returns the demand under the assumption that the conditions in `known` are met. Cases that contradict `known` are
  /// omitted. The conditions in `known` are removed from the other cases.
  func given(_ known: [TenantCondition]) -> PolicyDemand {
    guard !known.isEmpty else { return self }
    return PolicyDemand(
      cases.filter { TenantCondition.areCompatible($0 + known) }
        .map { $0.filter { !known.contains($0) } })
  }

  package var isUnconditional: Bool { cases == [[]] }

  /// The lock-out of users without a policy, in words: `locked out`, or ``locked out if the user is not in `Sales` ``.
  /// Nil if they are never locked out.
  package var lockOut: String? {
    guard !cases.isEmpty else { return nil }
    guard !isUnconditional else { return "locked out" }
    return "locked out if "
      + cases.map { ListFormat.all(of: $0.map(\.text)) }
      .joined(separator: ", or if ")
  }

  var withoutPolicy: String {
    isUnconditional
      ? "no policy, and conditional access requires one"
      : ["no policy, so nothing is restricted", lockOut].compactMap(\.self)
        .joined(separator: "; ")
  }
}

extension Tenant {
  /// A function that converts unknown facts with their values to conditions with texts.
  typealias Wording = ([(fact: UnknownFact, holds: Bool)]) -> [TenantCondition]

  /// Returns, for each user, the cases in which conditional access requires an app protection policy.
  ///
  /// - Parameter wording: The function that describes the conditions of a demand; nil for ``conditions(_:of:called:)``.
  func demands(
    of survey: UserSurvey, on device: TenantDevice, in wording: Wording? = nil
  ) -> [PolicyDemand] {
    var found = Array(repeating: PolicyDemand.never, count: survey.users.count)
    for policy in conditionalAccess.indices
    where conditionalAccess[policy].needsAppProtection(on: device) {
      let (blocks, results) = survey.judgements(of: policy, on: device)
      for (users, result) in zip(blocks.blocks, results) {
        let demand = demand(of: result, on: device, in: wording)
        guard !demand.cases.isEmpty else { continue }
        for number in users {
          found[number] =
            found[number].cases.isEmpty
            ? demand : PolicyDemand(found[number].cases + demand.cases)
        }
      }
    }
    return found
  }

  /// Returns the cases in which conditional access locks users out of an app.
  ///
  /// - Parameters:
  ///   - users: The users, by their numbers in the survey.
  ///   - demands: For each user in the survey, the cases in which conditional access requires a policy.
  ///   - wording: The function that describes the conditions of a lock-out; nil for ``conditions(_:of:called:)``.
  func lockOuts(
    of users: [Int], in survey: UserSurvey, _ app: String, on device: TenantDevice,
    given demands: [PolicyDemand], in wording: Wording? = nil
  ) -> [PolicyDemand] {
    struct Key: Hashable {
      var answer: Int32
      var demand: PolicyDemand
    }
    let answers = survey.answers(in: app, on: device)
    var known: [Key: PolicyDemand] = [:]
    return users.map { user in
      guard !demands[user].cases.isEmpty else { return .never }
      let key = Key(answer: answers.labels[user], demand: demands[user])
      if let lockOut = known[key] { return lockOut }
      let alternatives = (answers.alternatives(for: user) ?? []).map {
        Assumptions.Alternative(facts: $0.facts, answer: $0.answer.policies)
      }
      let missing = Assumptions.united(alternatives).filter(\.answer.isEmpty)
        .map { wording?($0.facts) ?? conditions($0.facts) }
      let lockOut = PolicyDemand(
        missing.flatMap { missing in
          key.demand.cases.map { $0 + missing }.filter(TenantCondition.areCompatible)
        })
      known[key] = lockOut
      return lockOut
    }
  }

  /// Returns lines about the users who cannot use an app because of conditional access. The first lines are about
  /// lock-outs, such as `com.contoso.mail: anna@contoso.com is locked out, because …`. The other lines are about
  /// blocked users.
  ///
  /// - Parameter app: A lowercase bundle id.
  package func lockOuts(
    of classes: [UserClass], in app: String, on device: TenantDevice
  ) -> [String] {
    let survey = UserSurvey(self, users: classes.map(\.representative))
    let demands = demands(of: survey, on: device)
    let lockOuts = lockOuts(of: Array(classes.indices), in: survey, app, on: device, given: demands)
    let blocks = blocks(of: survey, on: device)
    var places: [PolicyDemand: Int] = [:]
    var found: [(users: [Int], demand: PolicyDemand)] = []
    var blocked: [[Int]: [Int]] = [:]
    for (number, (users, demand)) in zip(classes, lockOuts).enumerated() {
      guard blocks[number].isEmpty else {
        blocked[blocks[number], default: []] += users.users
        continue
      }
      if let place = places[demand] {
        found[place].users += users.users
      } else {
        places[demand] = found.count
        found.append((users.users, demand))
      }
    }
    let begin = { (indices: [Int]) in
      let users = UserClass(users: indices.sorted())
      return "\(app): \(self.name(users)) \(users.users.count == 1 ? "is" : "are")"
    }
    let lockedOut = found.compactMap { indices, demand in
      demand.lockOut.map {
        "\(begin(indices)) \($0), because conditional access requires an app protection policy"
      }
    }
    let shutOut = blocked.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      "\(begin($1)) \(self.blocked(by: $0)), which \(device.text) cannot meet"
    }
    return lockedOut + shutOut
  }

  /// Returns a clause for each combination of conditional access policies that certainly blocks users on a device:
  /// ``anna@contoso.com is blocked by `No phones`, which an unmanaged device cannot meet``.
  package func blocks(of classes: [UserClass], on device: TenantDevice) -> [String] {
    let survey = UserSurvey(self, users: classes.map(\.representative))
    var blocked: [[Int]: [Int]] = [:]
    for (users, policies) in zip(classes, blocks(of: survey, on: device)) where !policies.isEmpty {
      blocked[policies, default: []] += users.users
    }
    return blocked.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { policies, users in
      "\(name(UserClass(users: users.sorted()))) \(users.count == 1 ? "is" : "are") "
        + "\(self.blocked(by: policies)), which \(device.text) cannot meet"
    }
  }

  /// Returns the demand of one conditional access policy; ``PolicyDemand/never`` if the result depends on too many
  /// facts.
  func demand(
    of result: TenantAnswer.Result<ConditionalAccessPolicy.Judgement>, on device: TenantDevice,
    in wording: Wording? = nil
  ) -> PolicyDemand {
    guard conditionalAccess[result.document].needsAppProtection(on: device) else { return .never }
    return PolicyDemand(
      (result.alternatives ?? []).filter { $0.answer.applies == true }
        .map {
          (wording?($0.facts) ?? conditions($0.facts)) + assumptions(of: result.document, $0.answer)
        })
  }

  /// Returns the conditions of a conditional access policy that are assumed to be met, such as the location.
  func assumptions(
    of policy: Int, _ judgement: ConditionalAccessPolicy.Judgement
  ) -> [TenantCondition] {
    guard case .applies(let names) = judgement else { return [] }
    return names.map { name in
      let text = "the sign-in meets `\(name)` of `\(conditionalAccess[policy].displayName)`"
      return TenantCondition(fact: text, holds: true, text: text)
    }
  }

  /// Returns, for each user, the indices of the conditional access policies that the user certainly cannot meet on a
  /// device, even with an app protection policy.
  func blocks(of survey: UserSurvey, on device: TenantDevice) -> [[Int]] {
    var found = Array(repeating: [Int](), count: survey.users.count)
    for policy in conditionalAccess.indices
    where conditionalAccess[policy].blocksApps(on: device) {
      let (blocks, results) = survey.judgements(of: policy, on: device)
      for (users, result) in zip(blocks.blocks, results) where self.blocks(result, on: device) {
        for number in users { found[number].append(policy) }
      }
    }
    return found
  }

  /// Returns whether a user with this result certainly cannot meet the conditional access policy on the device.
  func blocks(
    _ result: TenantAnswer.Result<ConditionalAccessPolicy.Judgement>, on device: TenantDevice
  ) -> Bool {
    conditionalAccess[result.document].blocksApps(on: device)
      && result.alternatives?.allSatisfy { $0.answer == .applies(takenAsMet: []) } ?? false
  }

  func blocked(by policies: [Int]) -> String {
    "blocked by \(ListFormat.all(of: policies.map { "`\(conditionalAccess[$0].displayName)`" }))"
  }

  func demand(in answer: TenantAnswer) -> PolicyDemand {
    PolicyDemand(
      answer.conditionalAccess.flatMap { demand(of: $0, on: answer.device).cases })
  }

  /// Returns the cases in which a conditional access policy locks out the user of `answer`. Only cases with the facts
  /// of `alternative` are included.
  func lockOuts(
    by policy: Int, _ alternative: Assumptions.Alternative<ConditionalAccessPolicy.Judgement>,
    _ answer: TenantAnswer
  ) -> PolicyDemand {
    guard conditionalAccess[policy].needsAppProtection(on: answer.device),
      alternative.answer.applies == true
    else { return .never }
    let assumptions = assumptions(of: policy, alternative.answer)
    return PolicyDemand(
      (answer.effective ?? []).filter(\.answer.isEmpty)
        .map { conditions(alternative.facts + $0.facts) + assumptions }
        .filter(TenantCondition.areCompatible))
  }
}

// MARK: - Users of a policy

extension Tenant {
  /// Returns a text about the users to whom a conditional access policy applies or does not apply on a device, with the
  /// reasons. Returns nil if the export has no such policy, or if another document has the name.
  ///
  /// - Parameters:
  ///   - name: The policy's name, id or file.
  ///   - users: The users to list; nil for all.
  package func text(
    ofAccessPolicy name: String, for users: [UserClass]?, on device: TenantDevice,
    namingAll isFull: Bool = false
  ) -> String? {
    let isNamed = { (policy: ConditionalAccessPolicy) in
      [policy.displayName, policy.id, policy.file].contains {
        $0?.lowercased() == name.lowercased()
      }
    }
    guard document(named: name) == nil,
      let index = conditionalAccess.firstIndex(where: isNamed)
    else { return nil }
    let policy = conditionalAccess[index]
    var lines = [
      "\(relative(policy.displayName)) (\(cite(policy.file, policy.position.line))), on \(device.text)",
      "", "Grant controls: \(grantControls(of: policy) ?? "none")",
    ]
    if directory.users.isEmpty { lines += ["", Self.missingUsers] }
    let classes = users ?? classes()
    let count = classes.reduce(0) { $0 + $1.users.count }
    for (extent, groups) in accessGroups(of: index, among: classes, on: device) {
      let users = groups.reduce(0) { $0 + $1.users.users.count }
      lines += ["", "\(extent.words) \(users) of \(count.counting("user"))\(extent.condition)"]
      for (users, reasons) in groups {
        let names = users.users.map { directory.users[$0].upn }
        lines.append("  " + (isFull ? ListFormat.all(of: names) : self.name(users)))
        lines += reasons.map { "    \($0)" }
      }
    }
    return lines.map { $0.escapingUnprintable() + "\n" }.joined()
  }

  private enum AccessExtent: CaseIterable {
    case always, sometimes, never

    var words: String {
      switch self {
      case .always, .sometimes: "Applies to"
      case .never: "Does not apply to"
      }
    }

    var condition: String {
      switch self {
      case .sometimes: " in some cases"
      case .always, .never: ""
      }
    }
  }

  /// Returns the users for whom the policy applies always, in some cases, or never. For each extent, users with equal
  /// reasons form a group, and the largest groups come first.
  private func accessGroups(
    of policy: Int, among classes: [UserClass], on device: TenantDevice
  ) -> [(extent: AccessExtent, groups: [(users: UserClass, reasons: [String])])] {
    struct Key: Hashable {
      var extent: AccessExtent
      /// The reasons without the name of the user.
      var reasons: [String]
    }
    let survey = UserSurvey(self, users: classes.map(\.representative))
    let (blocks, results) = survey.judgements(of: policy, on: device)
    var found: [Key: [Int]] = [:]
    for (block, result) in zip(blocks.blocks, results) {
      let user = survey.users[block[0]]
      let applies = result.alternatives?.map { $0.answer.applies == true } ?? [true, false]
      let extent: AccessExtent =
        applies.allSatisfy(\.self) ? .always : applies.contains(true) ? .sometimes : .never
      let reasons = accessReasons(result, of: user, on: device).map {
        $0.replacing(directory.users[user].upn, with: "")
      }
      found[Key(extent: extent, reasons: reasons), default: []] += block.flatMap {
        classes[$0].users
      }
    }
    return AccessExtent.allCases.compactMap { extent in
      let groups = found.filter { $0.key.extent == extent }.map { UserClass(users: $1.sorted()) }
        .sorted { ($1.users.count, $0.users[0]) < ($0.users.count, $1.users[0]) }
      guard !groups.isEmpty else { return nil }
      return (
        extent,
        groups.map { users in
          let user = users.representative
          let result = conditionalAccess(policy, for: TenantUser(user, of: self), on: device)
          return (users, accessReasons(result, of: user, on: device))
        }
      )
    }
  }

  private func accessReasons(
    _ result: TenantAnswer.Result<ConditionalAccessPolicy.Judgement>, of user: Int,
    on device: TenantDevice
  ) -> [String] {
    let reasons = result.alternatives.map { _ in
      accessCases(result, of: user).map { $0.clause + $0.condition }
    }
    let blocked =
      blocks(result, on: device) ? ["blocked: \(device.text) cannot meet the policy"] : []
    return
      (reasons ?? [
        undecided(by: facts(deciding: .access(result.document), for: user, app: "", on: device))
      ]) + blocked
  }
}

extension ConditionalAccessPolicy {
  /// Returns whether the policy is enabled, may cover the apps, and can be met on the device only with an app
  /// protection policy.
  func needsAppProtection(on device: TenantDevice) -> Bool {
    guard state == .enabled, mayCoverApps, controls.contains(.compliantApplication) else {
      return false
    }
    return switch self.operator {
    case .and: true
    case .or: !controls.contains { $0.canBeMetWithoutPolicy(on: device) }
    }
  }

  /// Returns whether the policy is enabled, covers the apps, and cannot be met on the device, even with an app
  /// protection policy.
  func blocksApps(on device: TenantDevice) -> Bool {
    let controls = controls.filter { $0 != .approvedApplication }
    guard state == .enabled, !controls.isEmpty, mayCoverApps,
      !applications.included.isDisjoint(with: ["all", "office365"])
    else { return false }
    let isUnmet = { (control: GrantControl) in
      control != .compliantApplication && !control.canBeMetWithoutPolicy(on: device)
    }
    return switch self.operator {
    case .and: controls.contains(where: isUnmet)
    case .or: controls.allSatisfy(isUnmet)
    }
  }

  /// A clause for users without an app protection policy. It states the policy's requirement, and that these users do
  /// not meet it.
  var unmetRequirement: String {
    self.operator == .or && controls.contains(.compliantDevice)
      ? "requires an app protection policy or a compliant device, and they have neither"
      : "requires an app protection policy, and they have none"
  }
}

extension ConditionalAccessPolicy.GrantControl {
  /// Returns whether an app without an app protection policy can meet the control.
  ///
  /// Source: Microsoft Learn, "Conditional Access: Grant": a device that MDM does not manage is not compliant, and no
  /// iPhone is hybrid joined.
  fileprivate func canBeMetWithoutPolicy(on device: TenantDevice) -> Bool {
    switch self {
    case .mfa, .passwordChange: true
    case .compliantDevice: device.isManaged
    // The service no longer enforces "Require approved client app", which counts as not selected.
    case .block, .domainJoinedDevice, .compliantApplication, .approvedApplication: false
    }
  }
}
