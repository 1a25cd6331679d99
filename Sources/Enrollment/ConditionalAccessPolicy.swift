public import JSON
public import Transfer

/// A conditional access policy of Microsoft Entra, as Microsoft Graph exports it (`conditionalAccessPolicy`).
public struct ConditionalAccessPolicy: Sendable {
  public enum State: String, Sendable, CaseIterable {
    case enabled, disabled
    case reportOnly = "enabledForReportingButNotEnforced"
  }

  /// What may have to be so before a token is issued.
  public enum GrantControl: String, Sendable, CaseIterable {
    case block, mfa, compliantDevice, domainJoinedDevice, approvedApplication
    /// An app protection policy.
    case compliantApplication
    case passwordChange
  }

  /// How several controls go together.
  public enum Operator: String, Sendable, CaseIterable {
    case and = "AND"
    case or = "OR"
  }

  /// Whom or what a condition names, in lower case: ids, or a word such as `all`.
  public struct Condition: Sendable, Equatable {
    public var included: Set<String>
    public var excluded: Set<String>

    public init(included: Set<String> = [], excluded: Set<String> = []) {
      self.included = included
      self.excluded = excluded
    }
  }

  public var displayName: String
  public var state: State
  public var users: Condition
  public var applications: Condition
  /// nil: every platform.
  public var platforms: Condition?
  /// Empty: every kind of client.
  public var clientAppTypes: Set<String>
  public var controls: [GrantControl]
  public var `operator`: Operator
  /// The file as the user named it.
  public var file: String
  /// Where the policy's grant controls stand, or where they would.
  public var position: Position
  /// What it says in vain, in the order of its parts.
  public var warnings: [ConditionalAccessWarning]

  /// Whether the policy's own conditions name the account.
  ///
  /// Members of groups and roles are known to the directory alone: they count as not named.
  public func names(_ account: Account) -> Bool {
    let isNamed = { (ids: Set<String>) in ids.contains { account.isNamed($0) } }
    let isOfOrganisation = account.tenantID != nil || account.objectID != nil
    let isIncluded =
      isNamed(users.included) || users.included.contains("all") && isOfOrganisation
    let isExcluded = isNamed(users.excluded) || users.excluded.contains("all")
    return isIncluded && !isExcluded
  }

  /// Whether the policy is for an iPhone's app that wants to have `resource`, an application id or a URI.
  public func isFor(resource: String) -> Bool {
    guard state == .enabled else { return false }
    let names = Self.names(of: resource)
    let isIncluded =
      applications.included.contains("all") || !applications.included.isDisjoint(with: names)
    guard isIncluded, applications.excluded.isDisjoint(with: names) else { return false }
    guard
      clientAppTypes.isEmpty
        || !clientAppTypes.isDisjoint(with: ["all", "mobileappsanddesktopclients"])
    else { return false }
    guard let platforms else { return true }
    let here: Set = ["all", "ios"]
    return !platforms.included.isDisjoint(with: here) && platforms.excluded.isDisjoint(with: here)
  }

  /// What a policy may call the resource, in lower case.
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

  /// Exchange Online, SharePoint Online, Teams (**assumed**: exports carry no list of what `Office365` covers).
  private static let office365: Set = [
    "00000002-0000-0ff1-ce00-000000000000", "00000003-0000-0ff1-ce00-000000000000",
    "cc15fd57-2c6c-4117-a88c-83b1d56b4bbe",
  ]
}
