public import Foundation

/// A token, and whom it is for.
open class MSALResult: NSObject, @unchecked Sendable {
  /// A signed JSON Web Token of the device's token service.
  public let accessToken: String
  /// By the device's clock.
  public let expiresOn: Date?
  /// An unsecured JSON Web Token: the device signs access tokens only.
  public let idToken: String?
  /// The scopes that were asked for: the device's service grants all.
  public let scopes: [String]
  public let tenantProfile: MSALTenantProfile
  public let account: MSALAccount
  /// Of the account's tenant, where there is a choice.
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

  /// The value of the header `Authorization`.
  public var authorizationHeader: String { "\(authenticationScheme) \(accessToken)" }
}
