package import Encodings
package import GraphDocuments
package import Model
internal import Output

/// One app protection policy as stated in its file.
package struct PolicyDocument: Sendable {
  package var id: String?
  /// The policy's name; the file's name if the file states none.
  package var displayName: String
  package var file: String
  /// The start of the policy's object.
  package var position: Position
  /// The stated settings, and Graph's documented defaults for the rest.
  package var settings: Settings
  /// The source location of each stated setting. A missing setting is absent or null in the file.
  package var origins: [Setting: EffectivePolicy.Origin]
  package var targeting: Targeting
  /// The lines of the properties that state ``targeting``. Excludes properties that the file does not state.
  package var targetingLines: [Targeting.Property: Int] = [:]
  package var assignments: [Assignment]?
  package var warnings: [PolicyWarning]
  /// The properties that Graph does not document for this type, unchanged.
  package var unknownProperties: [JSONValue.Member]
  /// The policies that this document combines; empty for a policy that was read from a file.
  package private(set) var parts: [PolicyDocument] = []

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

  /// Creates one document with the combined effect of several documents, for apps to which all these documents apply.
  package init(merging documents: [PolicyDocument], for targeting: Targeting) {
    let merged = EffectivePolicy.merging(documents)
    self.init(
      displayName: documents.map(\.displayName).joined(separator: " + "),
      file: documents.map(\.file).unique.joined(separator: ", "),
      position: documents.first?.position ?? Position(line: 1, column: 1),
      settings: merged.settings, origins: merged.origins, targeting: targeting)
    parts = documents
  }

  /// The effective policy of an account that has only this policy, or all of its ``parts``.
  package var effective: EffectivePolicy {
    parts.isEmpty
      ? EffectivePolicy(settings: settings, origins: origins) : EffectivePolicy.merging(parts)
  }

  /// Returns the document with renamed files, also in its ``parts``.
  package func renamingFiles(_ name: (String) -> String) -> PolicyDocument {
    var document = self
    document.parts = parts.map { $0.renamingFiles(name) }
    document.file =
      parts.isEmpty ? name(file) : document.parts.map(\.file).unique.joined(separator: ", ")
    document.origins = origins.mapValues { origin in
      var origin = origin
      origin.file = name(origin.file)
      return origin
    }
    return document
  }

  /// Whether an assignment has conditions that depend on the directory, such as groups and filters.
  package var dependsOnDirectory: Bool {
    assignments?.contains { !$0.conditions.isEmpty } ?? false
  }

  /// Ignores the case of the bundle id.
  package func targets(bundleID: String, state: ManagementState) -> Targeting.Result {
    targeting.result(bundleID: bundleID, state: state)
  }
}

/// The treatment of policies with assignments that depend on the directory.
package enum UnreadMembership: Sendable {
  /// All users are treated as assigned.
  case everybody
  /// The scenario's assignments decide.
  case scenario
  /// Each policy is shown separately, regardless of its assignments.
  case shown

  fileprivate func words(_ count: Int) -> String {
    switch self {
    case .everybody:
      count == 1
        ? "is treated as assigned to all users"
        : "are treated as assigned to all users and merged: the most restrictive value of each setting wins"
    case .scenario:
      count == 1
        ? "applies to the accounts that the scenario assigns it to"
        : "apply to the accounts that the scenario assigns them to; where several apply to one account, the most "
          + "restrictive value of each setting wins"
    case .shown:
      count == 1
        ? "is shown regardless of its assignments" : "are shown regardless of their assignments"
    }
  }
}

extension PolicyDocument: AssignableDocument {}

extension Sequence<PolicyDocument> {
  /// Returns the notice about policies with assignments that depend on the directory; nil if there are none.
  package func membershipNotice(_ use: UnreadMembership) -> String? {
    guard contains(where: \.dependsOnDirectory) else { return nil }
    var names: [String] = []
    for document in self {
      let isNamed =
        document.displayName != DocumentFile<PolicyKind>(document.file).shortName
      let name = isNamed ? "`\(document.displayName)` (\(document.file))" : "`\(document.file)`"
      if !names.contains(name) { names.append(name) }
    }
    let list = names.joined(separator: ", ")
    return "groups, exclusions and filters were not read: \(list) \(use.words(names.count))"
  }
}

// MARK: - Diagnostics

/// An error that makes a policy file unusable, with its source location.
package typealias PolicyError = DocumentError<PolicyErrorCode>

package typealias PolicyErrors = DocumentErrors<PolicyErrorCode>

package enum PolicyErrorCode: String, DocumentErrorCode, CaseIterable {
  case jsonSyntax
  case noPolicy
  /// An object contains the same name twice.
  case duplicateProperty
  /// The policy is for another platform, or the object is not an app protection policy.
  case otherPolicyType
  /// A property's JSON type differs from Graph's.
  case wrongType
  /// A property's value is not in Graph's list.
  case unknownValue
  /// A number is outside Graph's documented range.
  case outOfRange
  /// A text is not a duration in days, hours, minutes and seconds.
  case invalidDuration
  /// A text is not a version of dotted numbers.
  case invalidVersion
}

extension PolicyErrorCode: AppDocumentErrorCode {
  package static var noDocument: PolicyErrorCode { .noPolicy }
}

/// A probable mistake in a policy file that remains usable.
package typealias PolicyWarning = DocumentWarning<PolicyWarningCode>

package enum PolicyWarningCode: String, AppDocumentWarningCode, CaseIterable {
  /// A property that policies do not have. It has no effect.
  case unknownProperty
  case whiteSpace
  /// Two settings that the admin centre never combines.
  case conflictingSettings
  /// A text that cannot be a URL scheme.
  case notAScheme
  case noApps
  /// An entry of `apps` that does not identify an iOS app.
  case appWithoutBundleID
  /// A link entry that no link can match.
  case notALink
  /// A value that Graph could not represent for the exporting client.
  case unknownFutureValue
  /// An export from a Graph version that omits settings.
  case exportedByV1
  case emptyAssignments
  /// Files of a folder that contain no iOS policy.
  case skippedFiles
  /// A file of a folder that contains a policy nested inside another value.
  case wrappedPolicy

  /// Whether the warning is only a note. Policies are often exported without assignments, and alongside other files.
  package var isNote: Bool { self == .emptyAssignments || self == .skippedFiles }
}
