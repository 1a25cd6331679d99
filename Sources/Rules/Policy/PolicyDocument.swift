public import GraphDocuments
public import JSON
public import Model

/// One app protection policy as its file states it.
public struct PolicyDocument: Sendable {
  /// The policy's id in the tenant that it was exported from; nil where the file states none.
  public var id: String?
  /// The policy's name; the file's name where it states none.
  public var displayName: String
  /// The path of the file as the user named it.
  public var file: String
  /// The place where the policy's object begins.
  public var position: Position
  /// The settings that the policy states, and Graph's documented defaults for the rest.
  public var settings: Settings
  /// The place of each stated setting. A setting that is missing here is absent or null.
  public var origins: [Setting: EffectivePolicy.Origin]
  /// The apps and device states that the policy is for.
  public var targeting: Targeting
  /// The conditions of the policy's assignments that only the directory can judge; empty where the file states none.
  public var membership: Set<MembershipCondition> = []
  public var warnings: [PolicyWarning]
  /// The properties that Graph does not document for this type, kept as they stand.
  public var unknownProperties: [JSONValue.Member]

  /// Creates a document from the parts that a reader found.
  public init(
    id: String? = nil, displayName: String, file: String,
    position: Position = Position(line: 1, column: 1),
    settings: Settings = Settings(), origins: [Setting: EffectivePolicy.Origin] = [:],
    targeting: Targeting = Targeting(), warnings: [PolicyWarning] = [],
    unknownProperties: [JSONValue.Member] = []
  ) {
    self.id = id
    self.displayName = displayName
    self.file = file
    self.position = position
    self.settings = settings
    self.origins = origins
    self.targeting = targeting
    self.warnings = warnings
    self.unknownProperties = unknownProperties
  }

  /// The reason why the policy applies to the app of that bundle id, in any casing, in that state, or does not.
  public func targets(bundleID: String, state: ManagementState) -> Targeting.Result {
    targeting.result(bundleID: bundleID, state: state)
  }
}

/// How policies are treated whose assignments depend on the directory.
public enum UnreadMembership: Sendable {
  /// They are treated as assigned to everybody.
  case everybody
  /// They apply to the accounts that a scenario assigns them to.
  case scenario
  /// Each is shown by itself, whoever it is assigned to.
  case shown

  fileprivate func words(_ count: Int) -> String {
    switch self {
    case .everybody:
      count == 1
        ? "is treated as assigned to everybody"
        : "are treated as assigned to everybody and merged: the most restrictive value of each setting wins"
    case .scenario:
      count == 1
        ? "applies to the accounts that the scenario assigns it to"
        : "apply to the accounts that the scenario assigns them to; where several apply to one account, the most "
          + "restrictive value of each setting wins"
    case .shown:
      count == 1
        ? "is shown whoever it is assigned to" : "are shown whoever they are assigned to"
    }
  }
}

extension Sequence<PolicyDocument> {
  /// The notice that answers begin with where policies are assigned on conditions that only the directory can judge; nil
  /// where there are none.
  ///
  /// - Parameter use: How the policies are treated instead.
  public func membershipNotice(_ use: UnreadMembership) -> String? {
    guard contains(where: { !$0.membership.isEmpty }) else { return nil }
    var names: [String] = []
    for document in self {
      let isNamed = document.displayName != document.file
      let name = isNamed ? "`\(document.displayName)` (\(document.file))" : "`\(document.file)`"
      if !names.contains(name) { names.append(name) }
    }
    let list = names.joined(separator: ", ")
    return "groups, exclusions and filters were not read: \(list) \(use.words(names.count))"
  }
}
