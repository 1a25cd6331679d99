public import Foundation

open class MSALTokenParameters: MSALParameters, @unchecked Sendable {
  /// The scopes. All of them must belong to one resource. If empty, the resource is Microsoft Graph.
  open var scopes: [String]
  open var account: MSALAccount?
  /// The authority, which must have the same type as the application's authority; nil for the
  /// application's authority.
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

  /// The names of settings that were set but have no effect.
  var ineffective: [String] {
    [
      claimsRequest == nil ? nil : "claimsRequest",
      extraQueryParameters?.isEmpty == false ? "extraQueryParameters" : nil,
    ].compactMap { $0 }
  }
}
