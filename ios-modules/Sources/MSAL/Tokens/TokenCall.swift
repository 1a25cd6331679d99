internal import Foundation

/// A validated token request.
struct TokenCall: Sendable {
  let scopes: TokenScopes
  let authority: MSALAuthority
  let correlationId: UUID
  /// The name of the scheme in the `Authorization` header.
  let scheme: String

  /// Validates the parameters of a request.
  ///
  /// - Throws: An error if the type of the authority differs from the application's, or if the scopes are invalid.
  init(
    _ parameters: MSALTokenParameters, correlationId: UUID, of client: TokenClient
  ) throws(Failure) {
    self.correlationId = correlationId
    scheme = parameters.authenticationScheme?.authenticationScheme ?? "Bearer"
    authority = parameters.authority ?? client.authority
    guard type(of: authority) == type(of: client.authority) else {
      throw .invalidParameter(
        "the authority `\(authority.url.absoluteString)` must have the same type as the application's authority"
      )
    }
    scopes = try TokenScopes(parameters.scopes)
  }
}
