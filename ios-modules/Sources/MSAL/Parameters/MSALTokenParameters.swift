public import Foundation

/// What calls for a token take.
open class MSALTokenParameters: MSALParameters, @unchecked Sendable {
  /// They must be of one resource; empty: Microsoft Graph.
  open var scopes: [String]
  open var account: MSALAccount?
  /// Of the application's kind; nil: the application's.
  open var authority: MSALAuthority?
  /// Without effect.
  open var claimsRequest: MSALClaimsRequest?
  /// Without effect.
  open var extraQueryParameters: [String: String]?
  /// Names the call in its result; nil: MSAL makes one.
  open var correlationId: UUID?
  open var authenticationScheme: (any MSALAuthenticationSchemeProtocol)? =
    MSALAuthenticationSchemeBearer()

  public init(scopes: [String]) { self.scopes = scopes }

  /// The names of what is set, and does nothing here.
  var ineffective: [String] {
    [
      claimsRequest == nil ? nil : "claimsRequest",
      extraQueryParameters?.isEmpty == false ? "extraQueryParameters" : nil,
    ].compactMap { $0 }
  }
}
