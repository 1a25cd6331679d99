public import GraphDocuments
public import JSON

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
  /// Groups, roles and guests that `users` names, whose members the directory alone knows.
  var opaqueUsers: OpaqueUsers
  public var applications: Condition
  /// nil: every platform.
  public var platforms: Condition?
  /// Empty: every kind of client.
  public var clientAppTypes: Set<String>
  /// Flows by which a user signs in elsewhere, in lower case; empty: every sign-in.
  public var transferMethods: Set<String>
  /// nil: every device.
  public var deviceFilter: DeviceFilter?
  /// Names of conditions that are set and that nothing here depends on, in their order.
  public var unsimulated: [String]
  public var controls: [GrantControl]
  public var `operator`: Operator
  /// The file as the user named it.
  public var file: String
  /// Where the policy's grant controls stand, or where they would.
  public var position: Position
  /// What it says in vain, in the order of its parts.
  public var warnings: [ConditionalAccessWarning]

  /// The names of users conditions that only the directory can tell the members of.
  struct OpaqueUsers: Sendable, Equatable {
    var included: [String]
    var excluded: [String]
  }
}
