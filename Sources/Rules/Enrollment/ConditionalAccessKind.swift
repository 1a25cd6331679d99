internal import GraphDocuments

/// Conditional access policies: Graph's `conditionalAccessPolicy`.
enum ConditionalAccessKind: DocumentKind {
  typealias ErrorCode = ConditionalAccessErrorCode
  typealias WarningCode = ConditionalAccessWarningCode
}
