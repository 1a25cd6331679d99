public import JSON

/// What looks wrong in a conditional access policy that can be used all the same.
public typealias ConditionalAccessWarning = DocumentWarning<ConditionalAccessWarningCode>

/// What there is to warn about.
public enum ConditionalAccessWarningCode: String, DocumentWarningCode, CaseIterable {
  /// A name that Graph does not document.
  case unknownProperty
  /// A condition or control that is set, and that nothing here depends on.
  case notSimulated
  /// A policy that includes no user.
  case noUsers
  /// A policy that tells users by groups, roles or guests, which the directory alone knows.
  case opaqueUsers
}
