public import Foundation

/// The parameters of a token request.
open class MSALTokenParameters: MSALParameters, @unchecked Sendable {
  /// The scopes, all of one resource; if empty, Microsoft Graph's.
  open var scopes: [String]
  open var account: MSALAccount?
  /// The authority, of the same type as the application's; nil for the application's.
  open var authority: MSALAuthority?
  /// Has no effect.
  open var claimsRequest: MSALClaimsRequest?
  /// Has no effect.
  open var extraQueryParameters: [String: String]?
  /// The correlation ID of the call; if nil, MSAL generates one.
  open var correlationId: UUID?
  open var authenticationScheme: (any MSALAuthenticationSchemeProtocol)? =
    MSALAuthenticationSchemeBearer()

  public init(scopes: [String]) { self.scopes = scopes }

  /// The names of settings that are set but have no effect here.
  var ineffective: [String] {
    [
      claimsRequest == nil ? nil : "claimsRequest",
      extraQueryParameters?.isEmpty == false ? "extraQueryParameters" : nil,
    ].compactMap { $0 }
  }
}
