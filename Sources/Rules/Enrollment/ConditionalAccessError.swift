public import GraphDocuments

/// Why a file holds no conditional access policies, and where.
public typealias ConditionalAccessError = DocumentError<ConditionalAccessErrorCode>

/// The rules that a file can break.
public enum ConditionalAccessErrorCode: String, DocumentErrorCode {
  case jsonSyntax, noPolicy, wrongType, missing, unknownValue
}
