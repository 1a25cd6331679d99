public import GraphDocuments

/// A probable mistake in a conditional access policy that can be used all the same.
public typealias ConditionalAccessWarning = DocumentWarning<ConditionalAccessWarningCode>

/// The kinds of warnings about conditional access policies.
public enum ConditionalAccessWarningCode: String, DocumentWarningCode, CaseIterable {
  /// A name that Graph does not document.
  case unknownProperty
  /// A condition that is set, and that nothing here depends on.
  case notSimulated
  /// A filter for devices whose rule cannot be read.
  case invalidFilter
  /// A policy that includes no user.
  case noUsers
  /// Files of a folder that hold no policy.
  case skippedFiles
}
