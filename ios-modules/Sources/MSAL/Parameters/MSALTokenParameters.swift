public import Foundation

open class MSALTokenParameters: MSALParameters, @unchecked Sendable {
  /// The scopes, which must all belong to one resource. If there are none, the resource is Microsoft Graph.
  open var scopes: [String]
  open var account: MSALAccount?
  /// The authority. It must have the same class as the application's authority. Nil for the application's authority.
  open var authority: MSALAuthority?
  /// This property has no effect.
  open var claimsRequest: MSALClaimsRequest?
  /// This property has no effect.
  open var extraQueryParameters: [String: String]?
  /// The correlation id of the call. If it is nil, MSAL generates an id.
  open var correlationId: UUID?
  open var authenticationScheme: (any MSALAuthenticationSchemeProtocol)? =
    MSALAuthenticationSchemeBearer()

  public init(scopes: [String]) { self.scopes = scopes }

  /// The names of settings that the app has set and that have no effect.
  var ineffective: [String] {
    [
      claimsRequest == nil ? nil : "claimsRequest",
      extraQueryParameters?.isEmpty == false ? "extraQueryParameters" : nil,
    ].compactMap { $0 }
  }
}
