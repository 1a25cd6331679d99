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
    /// These accounts, regardless of the policies' conditions on users.
    case accounts([Account])
    /// Those of the listed members of the organisation who meet the policies' conditions on users.
    case members([Member])
  }

  /// An account of the organisation, with the facts from its directory.
  package struct Member: Sendable {
    package var account: Account
    /// Whether the account belongs to each principal. Principals with an unknown result are absent.
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

  /// Reassigns the policies with this name to these accounts.
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
    /// Protection by an app protection policy.
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

    /// Whether the service enforces the control. A control that the service no longer enforces counts as not selected.
    ///
    /// Source: Microsoft Learn, "Migrate approved client app to application protection policy in Conditional Access":
    /// retired on 2026-06-30.
    var isEnforced: Bool { self != .approvedApplication }
  }

  package enum Operator: String, Sendable, CaseIterable {
    case and = "AND"
    case or = "OR"
  }

  /// The users, applications or platforms in a condition, in lower case: ids, or a keyword such as `all`.
  package struct Condition: Sendable, Equatable {
    package var included: Set<String> = []
    package var excluded: Set<String> = []
  }

  /// The resources and actions that a policy covers, in the file's order and spelling.
  package struct Scope: Sendable, Equatable {
    package var resources: [String] = []
    var excludedResources: [String] = []
    /// The user actions that the policy covers instead of resources, such as `urn:user:registerdevice`.
    package var userActions: [String] = []
    var authenticationContexts: [String] = []
    /// Whether the policy covers network traffic profiles.
    var isForTraffic: Bool
  }

  package var id: String?
  package var displayName: String
  package var state: State
  package var users: Condition
  /// The groups, roles and guests in `users`. Only the directory knows their members.
  package var principals: (included: [Principals], excluded: [Principals])
  package var applications: Condition
  package var scope: Scope
  /// The platforms; nil for every platform.
  package var platforms: Condition?
  /// The client types; empty for every type.
  package var clientAppTypes: Set<String>
  /// The authentication flows that involve another device, in lower case; empty for every sign-in.
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

  /// Users that only the directory can identify.
  package enum Principal: Sendable, Hashable {
    /// The members of a group, given by lowercase id.
    case group(String)
    /// The holders of a role of the directory, given by lowercase id.
    case role(String)
    case guests
  }

  /// The groups, roles or guests of one condition, such as `excludeGroups`.
  package struct Principals: Sendable, Equatable {
    package var condition: String
    package var members: [Principal]
  }
}

extension ConditionalAccessPolicy: ExportedDocument {}

// MARK: - Judgement

/// An app's sign-in with an account, for which conditions are evaluated.
package struct SignIn: Sendable {
  package var account: Account
  /// An application id or a URI; nil for any resource.
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
    /// The policy applies. These conditions are not simulated or depend on unknown values, and are assumed to be met.
    case applies(takenAsMet: [String])
    /// Unknown: these conditions name groups, roles or guests, and only the directory knows their members.
    case unknown(Membership)
    /// Unknown: only the directory knows whether the policy's `includeApplications` cover the resource.
    case unknownResource
    case spared(Ground)
  }

  /// The conditions that name groups, roles or guests. Only the directory knows their members.
  package struct Membership: Sendable, Equatable {
    /// The names of the conditions, such as `excludeGroups`.
    package var conditions: [String]
    /// Whether the policy is known to include the account. If true, the policy applies unless ``conditions`` exclude
    /// the account. If false, the policy applies only if ``conditions`` include the account.
    package var isNamed: Bool
    /// The other conditions that are not simulated and are assumed to be met.
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
    /// The policy covers these user actions instead of resources.
    case userActions([String])
    /// The policy covers these authentication contexts instead of resources.
    case authenticationContexts([String])
    case traffic, noResource
  }

  /// - Parameters:
  ///   - isAssigned: Whether the policy's user conditions count as met; nil to evaluate them.
  ///   - isAmong: Returns whether the account is one of the principal's users; nil if unknown.
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

  /// Returns whether the policy's users include the account, and the conditions on which the result depends.
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

  /// Returns whether a condition is known to include the account, and the conditions with an unknown result.
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

  /// The reason why the policy covers no resource; nil if it names resources, or may cover resources by a filter.
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

  /// Returns the judgement on a sign-in to any resource as a clause, with the policy's resources:
  /// `applies; for tokens for … only`. A report-only policy that may apply is marked: `report only: applies`.
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

  /// Returns the resources as text. The URI of a well-known resource follows its id.
  private static func list(_ resources: [String]) -> String {
    resources.map { resource in
      let uri = resource.contains(":") ? nil : TokenResource(resource).knownURI
      return "`\(resource)`" + (uri.map { " (\($0))" } ?? "")
    }.joined(separator: ", ")
  }

  /// Whether the policy may cover a resource that apps on phones use: it covers more than administration, and does not
  /// exclude Office 365.
  ///
  /// Source: Microsoft Learn, "Conditional Access: Target resources", Office 365 and Microsoft Admin Portals.
  package var mayCoverApps: Bool {
    guard !applications.excluded.contains("office365") else { return false }
    return applications.included.isEmpty
      || !applications.included.allSatisfy {
        $0 == "microsoftadminportals" || TokenResource($0).isOutsideOffice365
      }
  }

  /// Returns whether the policy includes the resource; nil if only the directory knows.
  private func includes(_ resource: TokenResource) -> Bool? {
    if applications.included.contains("all") { return true }
    if applications.included.isEmpty, unsimulated.contains("applicationFilter") { return true }
    return resource.isAmong(applications.included)
  }

  /// A condition that lists enumeration values. Graph may add values.
  private struct WordCondition {
    var name: String
    var ground: Ground
    /// Whether the sign-in meets the condition; nil if the result depends on unknown values.
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

  /// Returns true if `words` contains one of `ours`; false if all of `words` are in `others`; otherwise nil.
  private static func isMet(
    by words: Set<String>, having ours: Set<String>, orOnly others: Set<String>
  ) -> Bool? {
    if !words.isDisjoint(with: ours) { return true }
    return words.isSubset(of: others) ? false : nil
  }
}

// MARK: - Resources

/// A resource of a token request, as conditional access policies name it.
private struct TokenResource {
  /// The resource in lower case, without trailing slashes.
  private let key: String
  /// The ids in the resource; empty if only the directory knows the application behind the URI.
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

  /// The URI of a well-known resource; nil if the URI varies between organisations.
  var knownURI: String? { known.flatMap { $0.host.hasPrefix("*") ? nil : "https://" + $0.host } }

  /// Whether the resource is known and is not part of `Office365`.
  var isOutsideOffice365: Bool { known?.isOffice365 == false }

  /// The names of the resource: its ids, the URI, and the URI without its scope.
  private var names: Set<String> {
    var names = ids.union([key])
    if key.contains("://"), let slash = key.lastIndex(of: "/"), !key[..<slash].hasSuffix("/") {
      names.insert(String(key[..<slash]))
    }
    return names
  }

  /// Returns whether a policy's lowercase list of applications covers the resource; nil if only the directory knows.
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
    /// The host of the URI; `*.` stands for an organisation's name.
    var host: String
    /// Whether `Office365` covers the resource; nil if that depends on the token's scopes.
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
  /// Whether the policy applies to the sign-in; nil if only the directory knows.
  package var applies: Bool? {
    switch self {
    case .applies: true
    case .unknown, .unknownResource: nil
    case .spared: false
    }
  }

  /// Whether a token depends on the policy's controls. The following is assumed: groups do not exclude a named account,
  /// an unnamed account is in no group, and an unknown resource is not covered.
  package var counts: Bool {
    switch self {
    case .applies: true
    case .unknown(let membership): membership.isNamed
    case .unknownResource, .spared: false
    }
  }

  /// The judgement as a clause: ``applies, with `signInRiskLevels` assumed to be met``.
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
    case .client: "it targets other kinds of clients"
    case .platform: "it targets other platforms"
    case .authenticationFlow: "it targets device code flow or authentication transfer only"
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
