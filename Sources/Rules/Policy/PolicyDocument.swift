package import GraphDocuments
package import JSON
package import Model

/// One app protection policy as its file states it.
package struct PolicyDocument: Sendable {
  /// The policy's id in the tenant that it was exported from; nil where the file states none.
  package var id: String?
  /// The policy's name; the file's name where it states none.
  package var displayName: String
  /// The path of the file as the user named it.
  package var file: String
  /// The place where the policy's object begins.
  package var position: Position
  /// The settings that the policy states, and Graph's documented defaults for the rest.
  package var settings: Settings
  /// The place of each stated setting. A setting that is missing here is absent or null.
  package var origins: [Setting: EffectivePolicy.Origin]
  /// The apps and device states that the policy is for.
  package var targeting: Targeting
  /// The conditions of the policy's assignments that only the directory can judge; empty where the file states none.
  package var membership: Set<MembershipCondition> = []
  package var warnings: [PolicyWarning]
  /// The properties that Graph does not document for this type, kept as they stand.
  package var unknownProperties: [JSONValue.Member]

  /// Creates a document from the parts that a reader found.
  package init(
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
  package func targets(bundleID: String, state: ManagementState) -> Targeting.Result {
    targeting.result(bundleID: bundleID, state: state)
  }
}

/// How policies are treated whose assignments depend on the directory.
package enum UnreadMembership: Sendable {
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
  package func membershipNotice(_ use: UnreadMembership) -> String? {
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

// MARK: - Findings

/// The error of a policy file that cannot be used, with its place.
package typealias PolicyError = DocumentError<PolicyErrorCode>

/// The rules that a file can break.
package enum PolicyErrorCode: String, DocumentErrorCode, CaseIterable {
  /// The text is no JSON.
  case jsonSyntax
  /// The file holds no policy.
  case noPolicy
  /// An object states one name twice.
  case duplicateProperty
  /// The policy is for another platform, or the object is no app protection policy.
  case otherPolicyType
  /// A property has another JSON type than Graph gives it.
  case wrongType
  /// A value is not among those that Graph lists.
  case unknownValue
  /// A number lies outside the range that Graph documents.
  case outOfRange
  /// A text is no duration of days, hours, minutes and seconds.
  case invalidDuration
  /// A text is no version of dotted numbers.
  case invalidVersion
}

extension PolicyErrorCode: AppDocumentErrorCode {
  package static var noDocument: PolicyErrorCode { .noPolicy }
}

/// A probable mistake in a policy file that can be used all the same.
package typealias PolicyWarning = DocumentWarning<PolicyWarningCode>

/// The kinds of warnings about policy files.
package enum PolicyWarningCode: String, AppDocumentWarningCode, CaseIterable {
  /// A name that no property of a policy has.
  case unknownProperty
  /// White space where it cannot be meant.
  case whiteSpace
  /// Two settings that the admin centre never writes together.
  case conflictingSettings
  /// A scheme that no URL can have.
  case notAScheme
  /// A policy that is targeted at no app.
  case noApps
  /// An entry of `apps` that names no iOS app.
  case appWithoutBundleID
  /// An entry of a list of links that no link can match.
  case notALink
  /// A value that Graph could not name to the exporting client.
  case unknownFutureValue
  /// An export from a version of Graph that leaves out settings.
  case exportedByV1
  /// A policy that is assigned to nobody.
  case emptyAssignments
  /// Files of a folder that are no policies for iOS.
  case skippedFiles
  /// A file of a folder with a policy inside of something else.
  case wrappedPolicy

  /// Whether the warning is only a note: a policy is often exported without its assignments, and seldom alone.
  package var isNote: Bool { self == .emptyAssignments || self == .skippedFiles }
}
