internal import Diagnostics
public import Model

/// The sign-in of an app as an account, as conditions see it.
public struct SignIn: Sendable {
  public var account: Account
  /// An application id or a URI; nil: any resource.
  public var resource: String?
  public var device: DirectoryDevice

  /// Creates a sign-in.
  public init(_ account: Account, resource: String? = nil, device: DirectoryDevice) {
    self.account = account
    self.resource = resource
    self.device = device
  }
}

extension ConditionalAccessPolicy {
  /// The judgement whether a policy is for a sign-in.
  public enum Judgement: Sendable, Equatable {
    /// The policy is for the sign-in, provided that the conditions of these names, which are not simulated, are met.
    case applies(takenAsMet: [String])
    /// Only the directory knows whether the policy applies to the sign-in: these conditions name groups, roles or
    /// guests.
    case unknown(Membership)
    case spared(Ground)
  }

  /// Conditions on an account whose members only the directory knows.
  public struct Membership: Sendable, Equatable {
    /// The names of the conditions, such as `excludeGroups`.
    public var conditions: [String]
    /// Whether the policy names the account itself. If it does, it applies unless the conditions exclude the account;
    /// otherwise it applies only if they include the account.
    public var isNamed: Bool
    /// The other conditions that are not simulated, and taken as met.
    public var takenAsMet: [String] = []

    /// Creates conditions on an account.
    public init(_ conditions: [String], isNamed: Bool, takenAsMet: [String] = []) {
      self.conditions = conditions
      self.isNamed = isNamed
      self.takenAsMet = takenAsMet
    }
  }

  /// The ground on which a policy is not for a sign-in.
  public enum Ground: Sendable, Equatable {
    case disabled, users, resource, client, platform, authenticationFlow, device
    /// The policy covers these user actions instead of resources.
    case userActions([String])
    /// The policy covers these authentication contexts instead of resources.
    case authenticationContexts([String])
    case traffic, noResource
  }

  /// The judgement whether the policy is for `signIn`.
  ///
  /// - Parameter isAssigned: Whether an assignment names the account; nil: the policy's own conditions decide.
  public func judgement(on signIn: SignIn, isAssigned: Bool? = nil) -> Judgement {
    guard state != .disabled else { return .spared(.disabled) }
    let membership =
      isAssigned.map { Membership([], isNamed: $0) } ?? membership(of: signIn.account)
    guard membership.isNamed || !membership.conditions.isEmpty else { return .spared(.users) }
    if let resource = signIn.resource {
      guard isFor(resource: resource) else { return .spared(.resource) }
    } else if let ground = groundWithoutResources {
      return .spared(ground)
    }
    var unknown: [String] = []
    for condition in wordConditions {
      switch condition.isMet {
      case false?: return .spared(condition.ground)
      case nil: unknown.append(condition.name)
      case true?: break
      }
    }
    let admitsDevice = deviceFilter.map { $0.admits(signIn.device) } ?? true
    guard admitsDevice != false else { return .spared(.device) }
    let takenAsMet = unsimulated + unknown + (admitsDevice == nil ? ["deviceFilter"] : [])
    guard membership.conditions.isEmpty else {
      return .unknown(
        Membership(
          membership.conditions, isNamed: membership.isNamed, takenAsMet: takenAsMet))
    }
    return .applies(takenAsMet: takenAsMet)
  }

  /// The membership of an account among a policy's users, with the conditions on which it depends.
  private func membership(of account: Account) -> Membership {
    let isNamed = { (ids: Set<String>) in ids.contains { account.isNamed($0) } }
    guard !isNamed(users.excluded), !users.excluded.contains("all") else {
      return Membership([], isNamed: false)
    }
    let isOfOrganisation = account.tenantID != nil || account.objectID != nil
    guard isNamed(users.included) || users.included.contains("all") && isOfOrganisation else {
      return Membership(isOfOrganisation ? opaqueUsers.included : [], isNamed: false)
    }
    return Membership(isOfOrganisation ? opaqueUsers.excluded : [], isNamed: true)
  }

  /// The reason why the policy covers no resource's tokens; nil if it names resources, or may by a filter.
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

  /// The judgement on a sign-in to any resource as a clause, with the resources that the policy is limited to:
  /// `applies; for tokens for … only`.
  public func clause(of judgement: Judgement) -> String {
    if case .spared = judgement { return judgement.text }
    var parts = [judgement.text]
    if !applications.included.isEmpty, !applications.included.contains("all") {
      parts.append("for tokens for \(Self.list(scope.resources)) only")
    }
    if !scope.excludedResources.isEmpty {
      parts.append("not for tokens for \(Self.list(scope.excludedResources))")
    }
    return parts.joined(separator: "; ")
  }

  /// The resources, with their better-known URIs.
  private static func list(_ resources: [String]) -> String {
    resources.map { resource in
      let uri = applicationIDs.first { $0.value == resource.lowercased() }?.key
      return "`\(resource)`" + (uri.map { " (\($0))" } ?? "")
    }.joined(separator: ", ")
  }

  private func isFor(resource: String) -> Bool {
    let names = Self.names(of: resource)
    let isIncluded =
      applications.included.contains("all") || !applications.included.isDisjoint(with: names)
      || applications.included.isEmpty && unsimulated.contains("applicationFilter")
    return isIncluded && applications.excluded.isDisjoint(with: names)
  }

  /// A condition that lists words, to which Graph may add.
  private struct WordCondition {
    var name: String
    var ground: Ground
    /// Whether the condition is met; nil: that depends on words that are not known here.
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

  /// Whether `words` has one of `ours`; nil where it has none, and some that are not among `others` either.
  private static func isMet(
    by words: Set<String>, having ours: Set<String>, orOnly others: Set<String>
  ) -> Bool? {
    if !words.isDisjoint(with: ours) { return true }
    return words.isSubset(of: others) ? false : nil
  }

  /// The names that a policy may use for the resource, in lower case.
  private static func names(of resource: String) -> Set<String> {
    var key = resource.lowercased()
    while key.hasSuffix("/") { key.removeLast() }
    let id = applicationIDs[key] ?? key
    return office365.contains(id) ? [key, id, "office365"] : [key, id]
  }

  /// Application ids of resources that are better known by their URIs (Microsoft Learn, "Verify first-party
  /// Microsoft applications in sign-in reports").
  private static let applicationIDs = [
    "https://graph.microsoft.com": "00000003-0000-0000-c000-000000000000",
    "https://outlook.office365.com": "00000002-0000-0ff1-ce00-000000000000",
    "https://outlook.office.com": "00000002-0000-0ff1-ce00-000000000000",
  ]

  /// Exchange Online, SharePoint Online, Teams (**assumed**: exports carry no list of the apps behind `Office365`).
  private static let office365: Set = [
    "00000002-0000-0ff1-ce00-000000000000", "00000003-0000-0ff1-ce00-000000000000",
    "cc15fd57-2c6c-4117-a88c-83b1d56b4bbe",
  ]
}

extension ConditionalAccessPolicy.Judgement {
  /// Whether the policy applies to the sign-in; nil if only the directory knows.
  public var applies: Bool? {
    switch self {
    case .applies: true
    case .unknown: nil
    case .spared: false
    }
  }

  /// Whether a token depends on the policy's controls. An account that the policy names counts as not excluded by a
  /// group, and an account that it does not name as a member of no group (assumed).
  public var counts: Bool {
    switch self {
    case .applies: true
    case .unknown(let membership): membership.isNamed
    case .spared: false
    }
  }

  /// The judgement as a clause: `applies, with signInRiskLevels taken as met`.
  public var text: String {
    switch self {
    case .applies(let names):
      "applies" + Self.taken(names)
    case .unknown(let membership):
      "unknown: only the directory knows whether \(Self.list(membership.conditions)) "
        + (membership.isNamed ? "spares the account" : "includes the account")
        + Self.taken(membership.takenAsMet)
    case .spared(let ground): "does not apply: \(ground.text)"
    }
  }

  private static func taken(_ names: [String]) -> String {
    names.isEmpty ? "" : ", with \(list(names)) taken as met"
  }

  private static func list(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }
}

extension ConditionalAccessPolicy.Ground {
  fileprivate var text: String {
    switch self {
    case .disabled: "it is disabled"
    case .users: "it is for other users"
    case .resource: "it is for other resources"
    case .client: "it is for other kinds of clients"
    case .platform: "it is for other platforms"
    case .authenticationFlow: "it is for flows by which a user signs in elsewhere"
    case .device: "its filter spares the device"
    case .userActions(let names):
      "it is for \(Self.phrase("user action", names)), and for no tokens"
    case .authenticationContexts(let names):
      "it is for \(Self.phrase("authentication context", names)), and for no tokens"
    case .traffic: "it is for network traffic, and for no tokens"
    case .noResource: "it names no resource"
    }
  }

  private static func phrase(_ noun: String, _ names: [String]) -> String {
    "the \(noun)\(names.count == 1 ? "" : "s") "
      + Phrase.all(of: names.map { "`\($0)`" })
  }
}
