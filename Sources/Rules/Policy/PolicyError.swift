public import GraphDocuments

/// The error of a policy file that cannot be used, with its place.
public typealias PolicyError = DocumentError<PolicyErrorCode>

/// The rules that a file can break.
public enum PolicyErrorCode: String, DocumentErrorCode, CaseIterable {
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
