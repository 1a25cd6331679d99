internal import Diagnostics
internal import GraphDocuments

/// App protection policies for iOS: Graph's `iosManagedAppProtection`.
enum PolicyKind: AppDocumentKind {
  typealias ErrorCode = PolicyErrorCode
  typealias WarningCode = PolicyWarningCode

  static let indefiniteName = "a policy"
  static let definiteName = "the policy"
  static let appWithoutBundleID: PolicyWarningCode? = .appWithoutBundleID

  /// The words as a phrase: `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String { Phrase.any(of: words.map { "`\($0)`" }) }
}
