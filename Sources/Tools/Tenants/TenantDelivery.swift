package import AppConfiguration
internal import Directory
internal import Encodings
package import Enrollment
package import GraphDocuments
package import Model
internal import Output
package import Policy

/// An account that receives a tenant's assignments.
package struct TenantRecipient: Sendable {
  package let account: Account
  private let tenant: Tenant
  /// The user's index in the directory; nil if the export does not contain the user.
  private let user: Int?
  /// The lowercase names and ids of the account's groups. They determine the memberships that the export does not
  /// state. If nil, such memberships are unknown.
  private let groups: Set<String>?
  /// The licence state to use if the export does not state whether the account has a licence; nil if unknown.
  private let hasLicence: Bool?

  /// Creates a recipient.
  ///
  /// - Parameters:
  ///   - groups: The names or ids of the groups that contain the account, directly or through other groups. They
  ///     determine the memberships that the export does not state. If nil, such memberships are unknown.
  ///   - isLicensed: The licence state to use if the export does not state whether the account has a licence; nil if
  ///     unknown.
  /// - Returns: Nil if the export does not contain the user, and `groups` is nil.
  package init?(
    _ account: Account, of tenant: Tenant, groups: [String]? = nil, isLicensed: Bool? = true
  ) {
    user =
      account.objectID.flatMap { tenant.directory.user($0) } ?? tenant.directory.user(account.upn)
    guard user != nil || groups != nil else { return nil }
    self.tenant = tenant
    self.groups = groups.map { Set($0.map { $0.lowercased() }) }
    hasLicence = isLicensed
    let domain = account.upn.split(separator: "@").last.map(String.init)
    self.account = Account(
      upn: account.upn,
      objectID: account.objectID ?? user.flatMap { tenant.directory.users[$0].id },
      tenantID: account.tenantID ?? domain)
  }

  /// Returns whether the scenario states that the account is in a group with one of these names;
  /// nil if the scenario states no groups.
  private func isStated(_ names: String?...) -> Bool? {
    groups.map { groups in
      names.contains { name in name.map { groups.contains($0.lowercased()) } ?? false }
    }
  }
}

extension TenantRecipient: UserFacts {
  package var isLicensed: Bool? { user.flatMap { tenant.directory.isLicensed($0) } ?? hasLicence }

  package var hasAllGroups: Bool { user.map { tenant.directory.users[$0].hasAllGroups } ?? false }

  package func membership(_ group: Int) -> Bool? {
    let entry = tenant.directory.groups[group]
    switch user.map({ tenant.directory.membership(of: $0, in: group) }) {
    case .member: return true
    case .notMember: return false
    case .unknown, nil: return isStated(entry.displayName, entry.id)
    }
  }

  package func membership(ofAbsent group: GroupReference) -> Bool? {
    hasAllGroups ? false : isStated(group.name, group.id)
  }
}

// MARK: - Delivery

/// An app on a device, as the recipient of policies and configurations.
package struct TenantApp: Sendable {
  /// The bundle id on the device.
  package var bundleID: String
  /// The bundle id by which the tenant's documents target the app.
  package var targetedAs: String
  /// The app's version; nil if unknown.
  package var version: String?

  package init(bundleID: String, targetedAs: String? = nil, version: String? = nil) {
    self.bundleID = bundleID
    self.targetedAs = targetedAs ?? bundleID
    self.version = version
  }
}

/// The documents that a tenant delivers to an account on a device.
package struct TenantDelivery: Sendable {
  /// The app protection policies. Each policy targets only the apps and management states in which it applies to the
  /// account.
  package var policies: [PolicyDocument] = []
  /// The app configurations. Each targets only the apps in which it applies to the account, except the default
  /// configuration, which keeps its own targets.
  package var configurations: [AppConfigurationDocument] = []
  /// The account, with the facts on which conditional access depends.
  package var member: ConditionalAccess.Member
}

extension TenantDelivery {
  /// Returns the policies that apply together in an app, given by its bundle id on the device.
  package func policies(in app: String, on device: TenantDevice) -> [PolicyDocument] {
    let namesUser =
      ManagementState.intuneNamesUser(to: app)
      || configurations.contains { $0.namesUser && $0.targets(bundleID: app, state: .enrolled) }
    let state: ManagementState =
      device.isManaged
      ? ManagementState(isMDMEnrolled: true, hasEnrolledUPN: namesUser) : .unenrolled
    return policies.filter { $0.targets(bundleID: app, state: state).isTargeted }
  }
}

/// A delivery's assumptions about facts that the export does not state.
package struct DeliverySupposition: Sendable {
  fileprivate let facts: [UnknownFact: Bool]
  /// The conditions of each case that leads to the delivery. If no fact matters, there is a single case without
  /// conditions.
  package fileprivate(set) var cases: [[TenantCondition]]
}

/// The error for a delivery that depends on facts which neither the export nor the scenario states.
package struct TenantGaps: Error {
  package struct Gap: Sendable {
    /// The missing fact as a clause, such as ``anna@contoso.com is in `Sales` ``.
    package var fact: String
    /// The statement that would make the fact known, as a clause.
    package var remedy: String
    /// The documents with their locations; never empty.
    package var documents: [String]
  }

  package var gaps: [Gap] = []

  fileprivate mutating func add(_ fact: String, _ remedy: String, _ document: String) {
    guard let index = gaps.firstIndex(where: { $0.fact == fact }) else {
      return gaps.append(Gap(fact: fact, remedy: remedy, documents: [document]))
    }
    if !gaps[index].documents.contains(document) { gaps[index].documents.append(document) }
  }

  fileprivate mutating func add(_ others: TenantGaps) {
    for gap in others.gaps {
      for document in gap.documents { add(gap.fact, gap.remedy, document) }
    }
  }
}

extension Tenant {
  /// Returns the documents that the recipient gets in the apps of a device. Unlike ``answer(for:app:on:)``, the result
  /// has no alternatives.
  ///
  /// - Parameter supposition: The values of facts that neither the export nor the scenario states; nil for none.
  /// - Throws: ``TenantGaps`` if the answer depends on other unknown facts. Unknown facts about roles and guests cause
  ///   no error, because the device states its assumptions about them.
  package func delivery(
    to recipient: TenantRecipient, in apps: [TenantApp], on device: TenantDevice,
    supposing supposition: DeliverySupposition? = nil
  ) throws(TenantGaps) -> TenantDelivery {
    var survey = DeliverySurvey(
      tenant: self, recipient: recipient, apps: apps, device: device,
      supposed: supposition?.facts ?? [:])
    let policies = self.policies.indices.flatMap { survey.policies($0) }
    let configurations = self.configurations.indices.flatMap { survey.configurations($0) }
    let delivery = TenantDelivery(
      policies: policies, configurations: configurations,
      member: ConditionalAccess.Member(
        account: recipient.account, principals: survey.principals()))
    guard survey.gaps.gaps.isEmpty else { throw survey.sortedGaps }
    return delivery
  }

  /// Returns a supposition for each possible delivery to the recipient in the apps of a device. Combinations of unknown
  /// facts with the same delivery are cases of one supposition.
  ///
  /// - Parameter devices: The states of the device to examine; at least one.
  /// - Throws: ``TenantGaps`` if the delivery depends on more than ``Assumptions/maximumDepth`` facts.
  package func suppositions(
    about recipient: TenantRecipient, in apps: [TenantApp], on devices: [TenantDevice]
  ) throws(TenantGaps) -> [DeliverySupposition] {
    let surveys = devices.map {
      DeliverySurvey(tenant: self, recipient: recipient, apps: apps, device: $0, supposed: [:])
    }
    let parts = surveys.flatMap(\.parts)
    let known = parts.compactMap(\.self)
    let alternatives =
      known.count < parts.count
      ? nil
      : Assumptions.explore { facts in known.map { facts.answer(among: $0) } }
    guard let alternatives else {
      throw TenantGaps(
        gaps: surveys.reduce(into: TenantGaps()) { $0.add($1.allGaps) }.gaps
          .sorted { $0.fact < $1.fact })
    }
    var found: [DeliverySupposition] = []
    var places: [[Bool?]: Int] = [:]
    for alternative in alternatives {
      let conditions = conditions(alternative.facts)
      if let place = places[alternative.answer] {
        found[place].cases.append(conditions)
      } else {
        places[alternative.answer] = found.count
        found.append(
          DeliverySupposition(
            facts: Dictionary(
              alternative.facts.map { ($0.fact, $0.holds) }, uniquingKeysWith: { first, _ in first }
            ), cases: [conditions]))
      }
    }
    return found
  }

  /// The names and ids of all groups in the directory and the documents, for suggestions.
  package var groupNames: [String] {
    let assignments =
      policies.flatMap { $0.assignments ?? [] } + configurations.flatMap { $0.assignments ?? [] }
    let access = conditionalAccess.flatMap { $0.principals.included + $0.principals.excluded }
    let references =
      assignments.compactMap(\.group) + access.flatMap(\.members).compactMap(\.group)
    return directory.groups.flatMap { [$0.displayName, $0.id].compactMap(\.self) }
      + references.flatMap { [$0.name, $0.id].compactMap(\.self) }
  }
}

/// Decides which documents of a tenant reach one account, and collects the unknown facts.
private struct DeliverySurvey {
  let tenant: Tenant
  let recipient: TenantRecipient
  let apps: [TenantApp]
  let device: TenantDevice
  let supposed: [UnknownFact: Bool]
  var gaps = TenantGaps()

  private var states: [ManagementState] {
    device.isManaged ? [.enrolled, .enrolledWithoutUPN] : [.unenrolled]
  }

  private struct Reached {
    var app: TenantApp
    var states: Set<ManagementState>
  }

  // MARK: App protection policies

  /// Returns copies of the policy, one for each set of management states. A copy targets the apps in which the policy
  /// applies in exactly these states.
  mutating func policies(_ index: Int) -> [PolicyDocument] {
    let policy = tenant.policies[index]
    let reached = reached(citing: policy.displayName, policy.file, policy.position.line) {
      question, state, facts in question.policy(index, state, &facts).applies
    }
    return Self.targetings(reached).map { targeting in
      var document = policy
      document.targeting = targeting
      return document
    }
  }

  private static func targetings(_ reached: [Reached]) -> [Targeting] {
    Dictionary(grouping: reached, by: \.states).map { states, reached in
      Targeting(bundleIDs: reached.map(\.app.bundleID), levels: Set(states.map(\.level)))
    }.sorted { $0.bundleIDs.sorted().lexicographicallyPrecedes($1.bundleIDs.sorted()) }
  }

  // MARK: App configurations

  mutating func configurations(_ index: Int) -> [AppConfigurationDocument] {
    let configuration = tenant.configurations[index]
    let reached = reached(
      citing: configuration.displayName, configuration.file, configuration.position.line
    ) { question, state, facts in question.configuration(index, state, &facts).applies }
    guard !reached.isEmpty else { return [] }
    switch configuration.channel {
    case .managedDevices:
      var document = configuration
      document.mobileApps = reached.map(\.app.bundleID)
      return [document]
    case .managedApps where configuration.isDefault: return [configuration]
    case .managedApps:
      return Self.targetings(reached).map { targeting in
        var document = configuration
        document.targeting = targeting
        return document
      }
    }
  }

  // MARK: Reach

  /// A function that returns whether a document applies in an app in the given management state.
  private typealias Application =
    (TenantQuestion<TenantRecipient>, ManagementState, inout Assumptions) -> Bool

  private func device(of app: TenantApp) -> TenantDevice {
    var device = device
    if let version = app.version { device.appVersions[app.targetedAs.lowercased()] = version }
    device.hasSeveralApps = apps.count > 1
    return device.running(app.targetedAs.lowercased())
  }

  private func question(about app: TenantApp) -> TenantQuestion<TenantRecipient> {
    TenantQuestion(
      tenant: tenant, user: recipient, app: app.targetedAs.lowercased(), device: device(of: app))
  }

  private mutating func reached(
    citing name: String, _ file: String, _ line: Int, _ applies: Application
  ) -> [Reached] {
    var found: [Reached] = []
    for app in apps {
      let question = question(about: app)
      var states: Set<ManagementState> = []
      for state in self.states {
        let alternatives = Assumptions.explore(supposing: supposed) {
          applies(question, state, &$0)
        }
        if let only = alternatives?.first, alternatives?.count == 1 {
          if only.answer { states.insert(state) }
          continue
        }
        let document = "`\(name)` (\(file):\(line))"
        let facts =
          alternatives.map { Set($0.flatMap { $0.facts.map(\.fact) }) }
          ?? Set(Assumptions.facts { applies(question, state, &$0) })
        for fact in facts {
          gaps.add(text(of: fact), remedy(for: fact, app, device(of: app)), document)
        }
      }
      if !states.isEmpty { found.append(Reached(app: app, states: states)) }
    }
    return found
  }

  // MARK: Alternatives

  /// For each question on which the delivery depends, such as whether a policy applies in an app, the possible answers.
  /// Nil for a question that depends on too many unknown facts.
  var parts: [[Assumptions.Alternative<Bool>]?] {
    var parts: [[Assumptions.Alternative<Bool>]?] = []
    let add = { (question: (inout Assumptions) -> Bool) in
      parts.append(Assumptions.explore(question))
    }
    for app in apps {
      let question = question(about: app)
      for state in states {
        for index in tenant.policies.indices {
          add { question.policy(index, state, &$0).applies }
        }
        for index in tenant.configurations.indices {
          add { question.configuration(index, state, &$0).applies }
        }
      }
    }
    for policy in tenant.conditionalAccess {
      for (_, fact) in unknownGroups(of: policy) {
        parts.append(Assumptions.paths { $0.holds(fact) })
      }
    }
    return parts
  }

  /// The unknown facts on which the delivery depends, with the documents that they affect.
  var allGaps: TenantGaps {
    var survey = self
    for index in tenant.policies.indices { _ = survey.policies(index) }
    for index in tenant.configurations.indices { _ = survey.configurations(index) }
    _ = survey.principals()
    return survey.gaps
  }

  // MARK: Conditional access

  /// Returns, for each principal of conditional access, whether the account is one of its users. Principals with an
  /// unknown answer are omitted.
  mutating func principals() -> [ConditionalAccessPolicy.Principal: Bool] {
    var known: [ConditionalAccessPolicy.Principal: Bool] = [:]
    for policy in tenant.conditionalAccess {
      for principal in policy.allPrincipals { known[principal] = recipient.isAmong(principal) }
      for (principal, fact) in unknownGroups(of: policy) {
        if let supposed = supposed[fact] {
          known[principal] = supposed
          continue
        }
        gaps.add(
          text(of: fact), Self.listsGroups,
          "`\(policy.displayName)` (\(policy.file):\(policy.position.line))")
      }
    }
    return known
  }

  /// Returns the groups on which a conditional access policy depends and in which the account's membership is unknown.
  /// Empty if the policy cannot refuse a token.
  private func unknownGroups(
    of policy: ConditionalAccessPolicy
  ) -> [(principal: ConditionalAccessPolicy.Principal, fact: UnknownFact)] {
    guard policy.mayRefuseTokens else { return [] }
    let signIn = SignIn(
      recipient.account,
      device: DirectoryDevice(
        isMDMEnrolled: device.isManaged, osVersion: device.osVersion ?? "",
        model: device.model ?? ""))
    var known: [ConditionalAccessPolicy.Principal: Bool] = [:]
    for principal in policy.allPrincipals { known[principal] = recipient.isAmong(principal) }
    guard case .unknown = policy.judgement(on: signIn, isAmong: { known[$0] }) else { return [] }
    return policy.allPrincipals.compactMap { principal in
      guard known[principal] == nil, let group = principal.group else { return nil }
      return (
        principal, tenant.directory.group(group).map(UnknownFact.membership) ?? .absentGroup(group)
      )
    }
  }

  // MARK: Gaps

  var sortedGaps: TenantGaps {
    TenantGaps(gaps: gaps.gaps.sorted { $0.fact < $1.fact })
  }

  private func text(of fact: UnknownFact) -> String {
    tenant.text(of: fact, holds: true, for: recipient.account.upn)
  }

  private static let listsGroups =
    "state all groups of the account in its `groups`, as in `groups: []` for none"

  private func remedy(for fact: UnknownFact, _ app: TenantApp, _ device: TenantDevice) -> String {
    switch fact {
    case .membership(let group):
      "state it in the account's `groups`, as in `groups: [\(tenant.directory.groups[group].displayName)]`"
    case .absentGroup(let group):
      "state it in the account's `groups`, as in `groups: [\(group.text)]`"
    case .deviceMembership: "only an export with all members of the group states it"
    case .roles: "neither exports nor scenarios state roles"
    case .guest: "only an export with the `userType` of the user states it"
    case .licence:
      "state it as the account's `licensed` in the device's `service`, as in "
        + "`service: { accounts: { anna: { licensed: true } } }`"
    case .managedDevice: "state it in the device's `mdm`, as in `mdm: { enrolled: true }`"
    case .filter(let name, _): remedy(forFilter: name, app, device)
    }
  }

  private func remedy(
    forFilter name: String, _ app: TenantApp, _ device: TenantDevice
  ) -> String {
    guard let rule = tenant.judge.filters[name.lowercased()]?.rule else {
      return "the export lacks the filter, or its rule cannot be read"
    }
    guard case .unknown(let names) = rule.result(for: device.filtered) else { return "" }
    let unstated = names.filter { name in
      !["appVersion", "deviceModel", "model", "operatingSystemVersion", "osVersion"].contains(name)
        && DirectoryAttribute(rawValue: name) == nil
    }
    guard unstated.isEmpty else {
      let list = ListFormat.all(of: unstated.sorted().map { "`\($0)`" })
      return "the filter reads \(list), which scenarios do not state"
    }
    let remedies = names.sorted().map { name in
      switch name {
      case "appVersion": "`version` of the app `\(app.bundleID)`"
      case "deviceModel", "model": "`model` of the device"
      case "operatingSystemVersion", "osVersion": "`osVersion` of the device"
      default:  // open: names of attributes
        "`\(name)` in the device's `directory`"
      }
    }
    return "\(ListFormat.all(of: remedies)) \(remedies.count == 1 ? "states" : "state") it"
  }
}

extension ConditionalAccessPolicy {
  fileprivate var allPrincipals: [Principal] {
    (principals.included + principals.excluded).flatMap(\.members)
  }
}

extension TenantRecipient {
  /// Returns whether the account is one of the principal's users; nil if unknown.
  fileprivate func isAmong(_ principal: ConditionalAccessPolicy.Principal) -> Bool? {
    switch principal {
    case .group(let id):
      let reference = GroupReference(id: id)
      return tenant.directory.group(reference).map { membership($0) }
        ?? membership(ofAbsent: reference)
    case .role: return nil
    case .guests:
      if account.upn.contains("#EXT#") { return true }
      guard let user,
        case .strings(let types) = tenant.directory.value(
          of: RuleAttribute("userType"), for: user)
      else { return nil }
      return types.contains { $0.lowercased() == "guest" }
    }
  }
}
