package import Encodings
internal import GraphDocuments
package import Model
internal import Output

/// The conditional access policies of all organisations, with the accounts to which they are assigned.
package struct ConditionalAccess: Sendable {
  package struct Assignment: Sendable {
    /// The name that steps of a scenario use for the assignment.
    package var name: String
    package var policies: [ConditionalAccessPolicy]
    package var audience: Audience

    package init(
      name: String, policies: [ConditionalAccessPolicy], audience: Audience = .conditions
    ) {
      self.name = name
      self.policies = policies
      self.audience = audience
    }
  }

  /// The accounts to which policies apply.
  package enum Audience: Sendable {
    /// The accounts that meet the policies' conditions on users.
    case conditions
    /// The given accounts, regardless of the policies' conditions on users.
    case accounts([Account])
    /// The listed members of the organisation whom the policies' conditions on users cover.
    case members([Member])
  }

  /// An account of the organisation, with the facts from its directory.
  package struct Member: Sendable {
    package var account: Account
    /// Whether the account belongs to each of the groups and roles, and whether it is a guest. Unknown values have no
    /// entry.
    package var principals: [ConditionalAccessPolicy.Principal: Bool]

    package init(
      account: Account, principals: [ConditionalAccessPolicy.Principal: Bool]
    ) {
      self.account = account
      self.principals = principals
    }
  }

  package var assignments: [Assignment]

  package init(_ assignments: [Assignment] = []) { self.assignments = assignments }

  /// Makes the policies of the assignment `name` apply to exactly `accounts`, regardless of the policies' conditions on
  /// users.
  package mutating func assign(_ name: String, to accounts: [Account]) {
    for index in assignments.indices where assignments[index].name == name {
      assignments[index].audience = .accounts(accounts)
    }
  }

  package func judgements(
    on signIn: SignIn
  ) -> [(policy: ConditionalAccessPolicy, judgement: ConditionalAccessPolicy.Judgement)] {
    assignments.flatMap { assignment in
      assignment.policies.map { ($0, $0.judgement(on: signIn, of: assignment.audience)) }
    }
  }
}

extension ConditionalAccessPolicy {
  fileprivate func judgement(
    on signIn: SignIn, of audience: ConditionalAccess.Audience
  ) -> Judgement {
    switch audience {
    case .conditions: return judgement(on: signIn)
    case .accounts(let accounts):
      return judgement(
        on: signIn, isAssigned: accounts.contains { $0.isSameUser(as: signIn.account) })
    case .members(let members):
      guard let member = members.first(where: { $0.account.isSameUser(as: signIn.account) }) else {
        return judgement(on: signIn, isAssigned: false)
      }
      return judgement(on: signIn) { member.principals[$0] }
    }
  }
}

// MARK: - Policy

/// A Microsoft Entra conditional access policy: Microsoft Graph's `conditionalAccessPolicy`.
package struct ConditionalAccessPolicy: Sendable {
  package enum State: String, Sendable, CaseIterable {
    case enabled, disabled
    case reportOnly = "enabledForReportingButNotEnforced"
  }

  /// A control that may be required before a token is issued.
  package enum GrantControl: String, Sendable, CaseIterable {
    case block, mfa, compliantDevice, domainJoinedDevice, approvedApplication
    /// The app must protect the account by an app protection policy.
    case compliantApplication
    case passwordChange

    /// The control's label in the Entra admin centre.
    ///
    /// Source: Microsoft Learn, "Conditional Access: Grant".
    package var label: String {
      switch self {
      case .block: "Block access"
      case .mfa: "Require multifactor authentication"
      case .compliantDevice: "Require device to be marked as compliant"
      case .domainJoinedDevice: "Require Microsoft Entra hybrid joined device"
      case .approvedApplication: "Require approved client app"
      case .compliantApplication: "Require app protection policy"
      case .passwordChange: "Require password change"
      }
    }

    /// Whether the service still enforces the control. If not, a policy with the control is treated as if the control
    /// were not selected.
    ///
    /// Source: Microsoft Learn, "Migrate approved client app to application protection policy in Conditional Access":
    /// retired on 2026-06-30.
    var isEnforced: Bool { self != .approvedApplication }
  }

  package enum Operator: String, Sendable, CaseIterable {
    case and = "AND"
    case or = "OR"
  }

  /// The included and excluded users, applications or platforms of a condition, in lower case. Each is an id or a
  /// keyword such as `all`.
  package struct Condition: Sendable, Equatable {
    package var included: Set<String> = []
    package var excluded: Set<String> = []
  }

  /// The resources and actions to which a policy applies, in the order and spelling of the file.
  package struct Scope: Sendable, Equatable {
    package var resources: [String] = []
    var excludedResources: [String] = []
    /// The user actions that the policy covers instead of resources, such as `urn:user:registerdevice`.
    package var userActions: [String] = []
    var authenticationContexts: [String] = []
    /// Whether the policy is for network traffic profiles instead of resources.
    var isForTraffic: Bool
  }

  package var id: String?
  package var displayName: String
  package var state: State
  package var users: Condition
  /// The groups, roles and guests that the policy includes and excludes. Only the directory knows which users belong to
  /// them.
  package var principals: (included: [Principals], excluded: [Principals])
  package var applications: Condition
  package var scope: Scope
  /// The platforms to which the policy applies; nil for every platform.
  package var platforms: Condition?
  /// The client types to which the policy applies; empty for every type.
  package var clientAppTypes: Set<String>
  /// The authentication flows to which the policy applies, such as `devicecodeflow`, in lower case; they involve
  /// another device. If empty, the policy applies to every sign-in.
  package var transferMethods: Set<String>
  /// The device filter; nil for every device.
  package var deviceFilter: DeviceFilter?
  /// The names of conditions that are set but not simulated.
  package var unsimulated: [String]
  package var controls: [GrantControl]
  package var `operator`: Operator
  package var file: String
  /// The position of the policy's grant controls; if there are none, the position of the policy.
  package var position: Position
  package var warnings: [ConditionalAccessWarning]

  /// A set of users that only the directory can determine.
  package enum Principal: Sendable, Hashable {
    /// The members of the group with this id, in lower case.
    case group(String)
    /// The users who have the directory role with this id, in lower case.
    case role(String)
    case guests
  }

  /// The groups, roles or guests that one condition, such as `excludeGroups`, lists.
  package struct Principals: Sendable, Equatable {
    package var condition: String
    package var members: [Principal]
  }
}

extension ConditionalAccessPolicy: ExportedDocument {}

// MARK: - Judgement

/// A sign-in of an app with an account. Policies are evaluated for it.
package struct SignIn: Sendable {
  package var account: Account
  /// The resource that the app requests, as an application id or a URI; nil for a sign-in without a particular
  /// resource.
  package var resource: String?
  package var device: DirectoryDevice

  package init(_ account: Account, resource: String? = nil, device: DirectoryDevice) {
    self.account = account
    self.resource = resource
    self.device = device
  }
}

extension ConditionalAccessPolicy {
  /// Whether a policy applies to a sign-in.
  package enum Judgement: Sendable, Equatable {
    /// The policy applies. The listed conditions are assumed to be met, because they are not simulated or depend on
    /// unknown values.
    case applies(takenAsMet: [String])
    /// It is unknown whether the policy applies, because conditions list groups, roles or guests that only the
    /// directory knows.
    case unknown(Membership)
    /// It is unknown whether the policy applies, because only the directory knows whether `includeApplications` covers
    /// the resource.
    case unknownResource
    case spared(Ground)
  }

  /// The conditions on groups, roles or guests that only the directory can evaluate for an account.
  package struct Membership: Sendable, Equatable {
    /// The names of the conditions, such as `excludeGroups`.
    package var conditions: [String]
    /// Whether the policy certainly includes the account. If true, the policy applies unless one of ``conditions``
    /// excludes the account. If false, the policy applies only if one of ``conditions`` includes the account.
    package var isNamed: Bool
    /// The names of further conditions that are assumed to be met, because they are not simulated or depend on unknown
    /// values.
    package var takenAsMet: [String] = []

    package init(_ conditions: [String], isNamed: Bool, takenAsMet: [String] = []) {
      self.conditions = conditions
      self.isNamed = isNamed
      self.takenAsMet = takenAsMet
    }
  }

  /// The reason why a policy does not apply to a sign-in.
  package enum Ground: Sendable, Equatable {
    case disabled, users, resource, client, platform, authenticationFlow, device
    /// The policy applies only to these user actions, not to resources.
    case userActions([String])
    /// The policy applies only to these authentication contexts, not to resources.
    case authenticationContexts([String])
    case traffic, noResource
  }

  /// Returns whether the policy applies to a sign-in.
  ///
  /// - Parameters:
  ///   - isAssigned: Whether the policy includes the account, regardless of the policy's conditions on users; nil to
  ///     evaluate these conditions.
  ///   - isAmong: Returns whether the account belongs to the group, role or guests; nil if unknown.
  package func judgement(
    on signIn: SignIn, isAssigned: Bool? = nil, isAmong: (Principal) -> Bool? = { _ in nil }
  ) -> Judgement {
    guard state != .disabled else { return .spared(.disabled) }
    let membership =
      isAssigned.map { Membership([], isNamed: $0) } ?? membership(of: signIn.account, isAmong)
    guard membership.isNamed || !membership.conditions.isEmpty else { return .spared(.users) }
    let resource = signIn.resource.map(TokenResource.init)
    let isIncluded = resource.map(includes) ?? true
    let isExcluded = resource.map { $0.isAmong(applications.excluded) } ?? false
    guard isIncluded != false, isExcluded != true else { return .spared(.resource) }
    if let ground = groundWithoutResources { return .spared(ground) }
    var unknown = isExcluded == nil ? ["excludeApplications"] : []
    for condition in wordConditions {
      switch condition.isMet {
      case false?: return .spared(condition.ground)
      case nil: unknown.append(condition.name)
      case true?: break
      }
    }
    let admitsDevice = deviceFilter.map { $0.admits(signIn.device) } ?? true
    guard admitsDevice != false else { return .spared(.device) }
    guard isIncluded != nil else { return .unknownResource }
    let takenAsMet = unsimulated + unknown + (admitsDevice == nil ? ["deviceFilter"] : [])
    guard membership.conditions.isEmpty else {
      return .unknown(
        Membership(
          membership.conditions, isNamed: membership.isNamed, takenAsMet: takenAsMet))
    }
    return .applies(takenAsMet: takenAsMet)
  }

  /// Returns whether the policy includes the account or, if that is unknown, the conditions that decide it.
  private func membership(
    of account: Account, _ isAmong: (Principal) -> Bool?
  ) -> Membership {
    let isNamed = { (ids: Set<String>) in ids.contains { account.matches(identifier: $0) } }
    let excluded = Self.membership(in: principals.excluded, isAmong)
    guard !isNamed(users.excluded), !users.excluded.contains("all"), !excluded.isKnown else {
      return Membership([], isNamed: false)
    }
    let included = Self.membership(in: principals.included, isAmong)
    let isOfOrganisation = account.tenantID != nil || account.objectID != nil
    guard
      isNamed(users.included) || included.isKnown
        || users.included.contains("all") && isOfOrganisation
    else {
      return Membership(isOfOrganisation ? included.unknown : [], isNamed: false)
    }
    return Membership(isOfOrganisation ? excluded.unknown : [], isNamed: true)
  }

  /// Returns whether the account certainly belongs to one of the groups, roles or guests. If it does not, also returns
  /// the conditions for which the membership is unknown.
  private static func membership(
    in principals: [Principals], _ isAmong: (Principal) -> Bool?
  ) -> (isKnown: Bool, unknown: [String]) {
    var unknown: [String] = []
    for condition in principals {
      let results = condition.members.map(isAmong)
      if results.contains(true) { return (true, []) }
      if results.contains(nil) { unknown.append(condition.condition) }
    }
    return (false, unknown)
  }

  /// The reason why the policy covers no resources. Nil if the policy lists resources, or has a filter that may cover
  /// some resources.
  ///
  /// Source: Microsoft Graph, `conditionalAccessApplications`.
  private var groundWithoutResources: Ground? {
    guard applications.included.subtracting(["none"]).isEmpty,
      !unsimulated.contains("applicationFilter")
    else { return nil }
    if !scope.userActions.isEmpty { return .userActions(scope.userActions) }
    if !scope.authenticationContexts.isEmpty {
      return .authenticationContexts(scope.authenticationContexts)
    }
    return scope.isForTraffic ? .traffic : .noResource
  }

  /// Returns the judgement as a clause, followed by the resources to which it is limited:
  /// `applies; for tokens for … only`. For a report-only policy that applies or may apply, the clause begins with
  /// `report only:`.
  ///
  /// - Parameter judgement: The judgement on a sign-in without a particular resource.
  package func clause(of judgement: Judgement) -> String {
    if case .spared = judgement { return judgement.text }
    var parts = [(state == .reportOnly ? "report only: " : "") + judgement.text]
    if !applications.included.isEmpty, !applications.included.contains("all") {
      parts.append("for tokens for \(Self.list(scope.resources)) only")
    }
    if !scope.excludedResources.isEmpty {
      parts.append("not for tokens for \(Self.list(scope.excludedResources))")
    }
    return parts.joined(separator: "; ")
  }

  /// Returns a list of the resources for a message. The URI of a well-known resource follows its id.
  private static func list(_ resources: [String]) -> String {
    resources.map { resource in
      let uri = resource.contains(":") ? nil : TokenResource(resource).knownURI
      return "`\(resource)`" + (uri.map { " (\($0))" } ?? "")
    }.joined(separator: ", ")
  }

  /// Whether the policy may apply to resources that apps on phones use. This is not the case if the policy excludes
  /// Office 365, or includes only resources for administration.
  ///
  /// Source: Microsoft Learn, "Conditional Access: Target resources", Office 365 and Microsoft Admin Portals.
  package var mayCoverApps: Bool {
    guard !applications.excluded.contains("office365") else { return false }
    return applications.included.isEmpty
      || !applications.included.allSatisfy {
        $0 == "microsoftadminportals" || TokenResource($0).isOutsideOffice365
      }
  }

  /// Returns whether the policy includes the resource; nil if this is known only to the directory.
  private func includes(_ resource: TokenResource) -> Bool? {
    if applications.included.contains("all") { return true }
    if applications.included.isEmpty, unsimulated.contains("applicationFilter") { return true }
    return resource.isAmong(applications.included)
  }

  /// A condition that lists words from a fixed set. Graph may add words that are unknown here.
  private struct WordCondition {
    var name: String
    var ground: Ground
    /// Whether the sign-in meets the condition; nil if this depends on unknown words.
    var isMet: Bool?
  }

  private var wordConditions: [WordCondition] {
    [
      WordCondition(
        name: "clientAppTypes", ground: .client,
        isMet: clientAppTypes.isEmpty
          ? true
          : Self.isMet(
            by: clientAppTypes, having: ["all", "mobileappsanddesktopclients"],
            orOnly: ["browser", "exchangeactivesync", "eassupported", "other"])),
      WordCondition(name: "platforms", ground: .platform, isMet: isForPhones),
      WordCondition(
        name: "authenticationFlows", ground: .authenticationFlow,
        isMet: transferMethods.isEmpty
          ? true
          : Self.isMet(
            by: transferMethods, having: [], orOnly: ["devicecodeflow", "authenticationtransfer"])),
    ]
  }

  private var isForPhones: Bool? {
    guard let platforms else { return true }
    let isHere = { (names: Set<String>) in
      Self.isMet(
        by: names, having: ["all", "ios"],
        orOnly: ["android", "linux", "macos", "windows", "windowsphone"])
    }
    let (isIncluded, isExcluded) = (isHere(platforms.included), isHere(platforms.excluded))
    if isIncluded == false || isExcluded == true { return false }
    return isIncluded == true && isExcluded == false ? true : nil
  }

  /// Returns true if one of `words` is in `ours`, the words for the sign-in. Returns false if all of `words` are in
  /// `others`, the words for other kinds of sign-in, and otherwise nil, because a word is unknown.
  private static func isMet(
    by words: Set<String>, having ours: Set<String>, orOnly others: Set<String>
  ) -> Bool? {
    if !words.isDisjoint(with: ours) { return true }
    return words.isSubset(of: others) ? false : nil
  }
}

// MARK: - Resources

/// The resource of a token request, prepared for comparison with the lists of conditional access policies.
private struct TokenResource {
  /// The resource in lower case, without trailing slashes.
  private let key: String
  /// The application ids of the resource. Empty if it is a URI whose application only the directory knows.
  private let ids: Set<String>
  private let known: FirstParty?

  /// Parses an application id or a URI, with or without a scope such as `/.default`.
  init(_ text: String) {
    var key = text.lowercased()
    while key.hasSuffix("/") { key.removeLast() }
    self.key = key
    let parts = key.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    let host = parts.count > 1 && parts[0] == "https:" ? parts[1] : nil
    // `api://ID/SCOPE`, or `api://HOST/ID` for sign-in through Teams. In other forms, the id comes
    // first.
    let stated = parts.first == "api:" ? parts.filter(\.isGUID) : parts.prefix(1).filter(\.isGUID)
    known = FirstParty.all.first { app in
      stated.contains(app.id) || host.map { $0 == app.host || app.isTenant($0) } ?? false
    }
    ids = known.map { [$0.id] } ?? Set(stated)
  }

  /// The URI of a well-known resource. Nil for other resources, and if each organisation has its own URI.
  var knownURI: String? { known.flatMap { $0.host.hasPrefix("*") ? nil : "https://" + $0.host } }

  /// Whether the resource is well-known and the application `Office365` certainly does not include it.
  var isOutsideOffice365: Bool { known?.isOffice365 == false }

  /// The names by which a policy may list the resource: its ids, its URI, and the URI without the scope.
  private var names: Set<String> {
    var names = ids.union([key])
    if key.contains("://"), let slash = key.lastIndex(of: "/"), !key[..<slash].hasSuffix("/") {
      names.insert(String(key[..<slash]))
    }
    return names
  }

  /// Returns whether a policy's list of applications, in lower case, includes the resource. Nil if this is known only
  /// to the directory.
  func isAmong(_ list: Set<String>) -> Bool? {
    let list = Set(list.map { $0.contains("://") ? Self($0).known?.id ?? $0 : $0 })
    guard list.isDisjoint(with: names) else { return true }
    let office365 = "office365"
    if list.contains(office365) {
      guard let isMember = known?.isOffice365 else { return nil }
      if isMember { return true }
    }
    // An unknown id may be an admin portal, and an unknown URI any application.
    if known == nil, list.contains("microsoftadminportals") { return nil }
    guard ids.isEmpty else { return false }
    // An `api://` URI belongs to an organisation's own application, never to a Microsoft
    // application.
    let isOwn = key.hasPrefix("api:")
    let isOpen = list.contains { name in
      name.isGUID && !(isOwn && FirstParty.all.contains { $0.id == name })
    }
    return isOpen ? nil : false
  }

  /// A well-known Microsoft resource.
  ///
  /// Sources: Microsoft Learn, "Verify first-party Microsoft applications in sign-in reports" for the ids,
  /// and "Apps included in Conditional Access Office 365 app suite", which lists apps without ids.
  private struct FirstParty {
    var id: String
    /// The host in the resource's URI. `*.` at its start stands for an organisation's name.
    var host: String
    /// Whether the application `Office365` in a policy includes the resource. Nil if this depends on the token's
    /// scopes.
    var isOffice365: Bool?

    func isTenant(_ name: String) -> Bool {
      host.hasPrefix("*") && name.hasSuffix(host.dropFirst())
    }

    static let all = [
      // SharePoint Online's policies apply to a token for `Files.Read` (ms-intune-app-sdk-ios, issue 393).
      Self(id: "00000003-0000-0000-c000-000000000000", host: "graph.microsoft.com"),
      Self(id: "00000002-0000-0000-c000-000000000000", host: "graph.windows.net"),
      Self(
        id: "00000002-0000-0ff1-ce00-000000000000", host: "outlook.office365.com", isOffice365: true
      ),
      Self(
        id: "00000002-0000-0ff1-ce00-000000000000", host: "outlook.office.com", isOffice365: true),
      Self(id: "00000003-0000-0ff1-ce00-000000000000", host: "*.sharepoint.com", isOffice365: true),
      Self(
        id: "cc15fd57-2c6c-4117-a88c-83b1d56b4bbe", host: "api.spaces.skype.com", isOffice365: true),
      Self(
        id: "00000004-0000-0ff1-ce00-000000000000", host: "api.skypeforbusiness.com",
        isOffice365: true),
      Self(id: "00000005-0000-0ff1-ce00-000000000000", host: "www.yammer.com", isOffice365: true),
      Self(id: "00000005-0000-0ff1-ce00-000000000000", host: "api.yammer.com", isOffice365: true),
      Self(id: "2d4d3d8e-2be3-4bef-9f87-7875a61c29de", host: "onenote.com", isOffice365: true),
      Self(
        id: "797f4846-ba00-4fd7-ba43-dac1f8f63013", host: "management.azure.com",
        isOffice365: false),
      Self(
        id: "797f4846-ba00-4fd7-ba43-dac1f8f63013", host: "management.core.windows.net",
        isOffice365: false),
    ]
  }
}

// MARK: - Text

extension ConditionalAccessPolicy.Judgement {
  /// Whether the policy applies to the sign-in; nil if this is known only to the directory.
  package var applies: Bool? {
    switch self {
    case .applies: true
    case .unknown, .unknownResource: nil
    case .spared: false
    }
  }

  /// Whether the policy's controls affect the decision on a token. If only the directory knows whether the policy
  /// applies, the account counts as covered if the policy certainly includes it, and an unknown resource counts as not
  /// covered.
  package var counts: Bool {
    switch self {
    case .applies: true
    case .unknown(let membership): membership.isNamed
    case .unknownResource, .spared: false
    }
  }

  /// The judgement as a clause about the policy: ``applies, with `signInRiskLevels` assumed to be met``.
  package var text: String {
    switch self {
    case .applies(let names):
      "applies" + Self.taken(names)
    case .unknown(let membership):
      "unknown: only the directory knows whether \(Self.list(membership.conditions)) "
        + (membership.isNamed ? "excludes the account" : "includes the account")
        + Self.taken(membership.takenAsMet)
    case .unknownResource:
      "unknown: only the directory knows whether `includeApplications` covers the resource"
    case .spared(let ground): "does not apply: \(ground.text)"
    }
  }

  private static func taken(_ names: [String]) -> String {
    names.isEmpty ? "" : ", with \(list(names)) assumed to be met"
  }

  private static func list(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }
}

extension ConditionalAccessPolicy.Ground {
  fileprivate var text: String {
    switch self {
    case .disabled: "it is disabled"
    case .users: "it targets other users"
    case .resource: "it targets other resources"
    case .client: "it targets other kinds of client apps"
    case .platform: "it targets other platforms"
    case .authenticationFlow: "it targets only device code flow or authentication transfer"
    case .device: "its filter excludes the device"
    case .userActions(let names):
      "it targets \(Self.phrase("user action", names)), not tokens"
    case .authenticationContexts(let names):
      "it targets \(Self.phrase("authentication context", names)), not tokens"
    case .traffic: "it targets network traffic, not tokens"
    case .noResource: "it names no resource"
    }
  }

  private static func phrase(_ noun: String, _ names: [String]) -> String {
    "the \(noun)\(names.count == 1 ? "" : "s") "
      + ListFormat.all(of: names.map { "`\($0)`" })
  }
}
