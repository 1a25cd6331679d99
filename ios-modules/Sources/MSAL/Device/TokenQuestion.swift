/// What is asked of the token service but for the account.
struct TokenQuestion: Sendable, Equatable {
  var clientId: String
  var capabilities: [String]?
  /// An application id or a URI.
  var resource: String
}
