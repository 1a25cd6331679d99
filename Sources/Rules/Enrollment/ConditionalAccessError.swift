public import GraphDocuments

/// The error of a file that holds no conditional access policies, with its place.
public typealias ConditionalAccessError = DocumentError<ConditionalAccessErrorCode>

/// The rules that a file can break.
public enum ConditionalAccessErrorCode: String, DocumentErrorCode {
  case jsonSyntax, duplicateProperty, noPolicy, wrongType, missing, unknownValue
}
