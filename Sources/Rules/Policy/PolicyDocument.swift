package import Encodings
package import GraphDocuments
package import Model
internal import Output

/// An app protection policy as its file states it.
package struct PolicyDocument: Sendable {
  package var id: String?
  /// The policy's name; the file's name if the policy has none.
  package var displayName: String
  package var file: String
  /// The position where the policy's object begins.
  package var position: Position
  /// The settings that the file states. Other settings have Graph's documented default.
  package var settings: Settings
  /// The locations of the stated settings. A setting that is absent or null in the file has no entry.
  package var origins: [Setting: EffectivePolicy.Origin]
  package var targeting: Targeting
  /// The lines of the properties from which ``targeting`` was read. A property that is absent from the file has no
  /// entry.
  package var targetingLines: [Targeting.Property: Int] = [:]
  package var assignments: [Assignment]?
  package var warnings: [PolicyWarning]
  /// The properties that Graph does not document for this type, as the file states them.
  package var unknownProperties: [JSONValue.Member]
  /// The policies from which this one was merged. Empty for a policy from a file.
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

  /// Merges policies into one document, which represents their combined effect on apps to which all of them apply.
  package init(merging documents: [PolicyDocument], for targeting: Targeting) {
    let merged = EffectivePolicy.merging(documents)
    self.init(
      displayName: documents.map(\.displayName).joined(separator: " + "),
      file: documents.map(\.file).unique.joined(separator: ", "),
      position: documents.first?.position ?? Position(line: 1, column: 1),
      settings: merged.settings, origins: merged.origins, targeting: targeting)
    parts = documents
  }

  /// The effective policy of an account to which only this policy applies. If this policy was merged, all of its
  /// ``parts`` apply.
  package var effective: EffectivePolicy {
    parts.isEmpty
      ? EffectivePolicy(settings: settings, origins: origins) : EffectivePolicy.merging(parts)
  }

  /// Returns the document with changed file names, including those in its ``parts``.
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

  /// Whether the directory determines which users the policy reaches, because an assignment uses groups, exclusions or
  /// filters.
  package var dependsOnDirectory: Bool {
    assignments?.contains { !$0.conditions.isEmpty } ?? false
  }

  /// Returns whether the policy targets an app in a device state, with the reason. The case of the bundle id does not
  /// matter.
  package func targets(bundleID: String, state: ManagementState) -> Targeting.Result {
    targeting.result(bundleID: bundleID, state: state)
  }
}

/// The way in which a command that does not read the directory treats policies whose assignments depend on the
/// directory.
package enum UnreadMembership: Sendable {
  /// Each policy counts as assigned to all users.
  case everybody
  /// The assignments in the scenario apply instead.
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
  /// Returns the notice that groups, exclusions and filters of policies were not read. Nil if the policies have none.
  ///
  /// - Parameter use: The treatment of these policies in the command.
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
  /// An object has two properties with the same name.
  case duplicateProperty
  /// The policy is for another platform, or the object is not an app protection policy.
  case otherPolicyType
  /// A property's JSON type differs from Graph's.
  case wrongType
  /// A property has a value that Graph does not document.
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
  /// Two settings that cannot be combined in the admin centre.
  case conflictingSettings
  /// A text that cannot be a URL scheme.
  case notAScheme
  case noApps
  /// An entry of `apps` that does not identify an iOS app.
  case appWithoutBundleID
  /// An entry in a list of links that matches no link.
  case notALink
  /// `unknownFutureValue`, which Graph writes if the exporting client is too old for the actual value. That value is
  /// lost.
  case unknownFutureValue
  /// The file was exported from a version of Graph that omits settings.
  case exportedByV1
  case emptyAssignments
  /// Files of a folder that contain no iOS policy.
  case skippedFiles
  /// A file in a folder contains a policy inside another value.
  case wrappedPolicy

  /// Whether a warning with this code has the lower severity `note`: a policy without assignments, or other files in a
  /// folder. Both are common in exports.
  package var isNote: Bool { self == .emptyAssignments || self == .skippedFiles }
}
