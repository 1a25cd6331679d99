/// The parameters of a token request, except for the account.
struct TokenQuestion: Sendable, Equatable {
  var clientId: String
  var capabilities: [String]?
  /// The resource's application ID or URI.
  var resource: String
}
