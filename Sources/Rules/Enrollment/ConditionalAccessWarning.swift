public import GraphDocuments

/// What looks wrong in a conditional access policy that can be used all the same.
public typealias ConditionalAccessWarning = DocumentWarning<ConditionalAccessWarningCode>

/// What there is to warn about.
public enum ConditionalAccessWarningCode: String, DocumentWarningCode, CaseIterable {
  /// A name that Graph does not document.
  case unknownProperty
  /// A condition that is set, and that nothing here depends on.
  case notSimulated
  /// A filter for devices whose rule cannot be read.
  case invalidFilter
  /// A policy that includes no user.
  case noUsers
}
