/// The parameters of a token request, except the account.
struct TokenQuestion: Sendable, Equatable {
  var clientId: String
  var capabilities: [String]?
  /// The application id or URI of the resource.
  var resource: String
}
