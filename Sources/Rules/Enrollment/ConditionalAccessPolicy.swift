public import GraphDocuments
public import JSON

/// A conditional access policy of Microsoft Entra, as Microsoft Graph exports it (`conditionalAccessPolicy`).
public struct ConditionalAccessPolicy: Sendable {
  /// The state of a policy.
  public enum State: String, Sendable, CaseIterable {
    case enabled, disabled
    case reportOnly = "enabledForReportingButNotEnforced"
  }

  /// A control that may have to be satisfied before a token is issued.
  public enum GrantControl: String, Sendable, CaseIterable {
    case block, mfa, compliantDevice, domainJoinedDevice, approvedApplication
    /// Protection by an app protection policy.
    case compliantApplication
    case passwordChange
  }

  /// The combination of several controls.
  public enum Operator: String, Sendable, CaseIterable {
    case and = "AND"
    case or = "OR"
  }

  /// The users, applications or platforms that a condition names, in lower case: ids, or a word such as `all`.
  public struct Condition: Sendable, Equatable {
    public var included: Set<String>
    public var excluded: Set<String>

    /// Creates a condition.
    public init(included: Set<String> = [], excluded: Set<String> = []) {
      self.included = included
      self.excluded = excluded
    }
  }

  /// The resources and actions that a policy is for, in the policy's order and spelling.
  public struct Scope: Sendable, Equatable {
    public var resources: [String] = []
    public var excludedResources: [String] = []
    /// The actions of users, such as `urn:user:registerdevice`, in place of resources.
    public var userActions: [String] = []
    public var authenticationContexts: [String] = []
    /// Whether the policy is for profiles of network traffic.
    var isForTraffic = false
  }

  public var displayName: String
  public var state: State
  public var users: Condition
  /// The groups, roles and guests that `users` names, whose members only the directory knows.
  var opaqueUsers: OpaqueUsers
  public var applications: Condition
  /// The resources and actions that the policy is for, as written.
  public var scope: Scope
  /// The platforms; nil: every platform.
  public var platforms: Condition?
  /// The kinds of clients; empty: every kind.
  public var clientAppTypes: Set<String>
  /// The flows by which a user signs in elsewhere, in lower case; empty: every sign-in.
  public var transferMethods: Set<String>
  /// The filter on devices; nil: every device.
  public var deviceFilter: DeviceFilter?
  /// The names of conditions that are set and that nothing here depends on, in their order.
  public var unsimulated: [String]
  public var controls: [GrantControl]
  public var `operator`: Operator
  /// The path of the file as the user named it.
  public var file: String
  /// The place of the policy's grant controls, or the place where they would be.
  public var position: Position
  /// The warnings about statements without effect, in the order of the policy's parts.
  public var warnings: [ConditionalAccessWarning]

  /// The names of conditions on users whose members only the directory can tell.
  struct OpaqueUsers: Sendable, Equatable {
    var included: [String]
    var excluded: [String]
  }
}
