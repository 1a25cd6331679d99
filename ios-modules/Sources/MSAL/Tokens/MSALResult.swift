public import Foundation

/// The result of a token request.
open class MSALResult: NSObject, @unchecked Sendable {
  /// The access token, a JSON Web Token that the device's token service has signed.
  public let accessToken: String
  /// The expiry time on the device's clock.
  public let expiresOn: Date?
  /// The ID token, an unsecured JSON Web Token. It is unsecured because the device signs only
  /// access tokens.
  public let idToken: String?
  /// The requested scopes. The device's service grants all of them.
  public let scopes: [String]
  public let tenantProfile: MSALTenantProfile
  public let account: MSALAccount
  /// The authority of the request. For Microsoft Entra ID, it contains the account's tenant.
  public let authority: MSALAuthority
  public let correlationId: UUID
  public let authenticationScheme: String

  init(_ token: String, _ claims: AccessTokenClaims, _ record: AccountRecord, _ call: TokenCall) {
    accessToken = token
    expiresOn = Date(timeIntervalSince1970: TimeInterval(claims.exp))
    idToken = record.claims.token
    scopes = call.scopes.scopes
    tenantProfile = MSALTenantProfile(record)
    account = MSALAccount(record, withTenantProfiles: false)
    authority = call.authority.ofTenant(record.claims.tenantId)
    correlationId = call.correlationId
    authenticationScheme = call.scheme
  }

  public var extendedLifeTimeToken: Bool { false }

  /// The value of the `Authorization` header.
  public var authorizationHeader: String { "\(authenticationScheme) \(accessToken)" }
}
