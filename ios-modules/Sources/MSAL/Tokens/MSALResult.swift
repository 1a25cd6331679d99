public import Foundation

/// The result of a token request.
open class MSALResult: NSObject, @unchecked Sendable {
  /// A JSON Web Token signed by the device's token service.
  public let accessToken: String
  /// The expiry time, by the device's clock.
  public let expiresOn: Date?
  /// An unsecured JSON Web Token, because the device signs only access tokens.
  public let idToken: String?
  /// The requested scopes, all of which the device's service grants.
  public let scopes: [String]
  public let tenantProfile: MSALTenantProfile
  public let account: MSALAccount
  /// The authority, with the account's tenant if the request's covers several.
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
