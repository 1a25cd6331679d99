public import GraphDocuments

/// A probable mistake in a policy file that can be used all the same.
public typealias PolicyWarning = DocumentWarning<PolicyWarningCode>

/// The kinds of warnings about policy files.
public enum PolicyWarningCode: String, AppDocumentWarningCode, CaseIterable {
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
  public var isNote: Bool { self == .emptyAssignments || self == .skippedFiles }
}
