public import Foundation

/// The profile of an account in a tenant. On this device, each account exists only in its home tenant.
open class MSALTenantProfile: NSObject, NSCopying, @unchecked Sendable {
  /// The object id, which the Intune App SDK calls the account ID.
  public let identifier: String?
  /// The host of the authority.
  public let environment: String?
  public let tenantId: String?
  private let idTokenClaims: IDTokenClaims

  init(_ record: AccountRecord) {
    idTokenClaims = record.claims
    identifier = record.claims.objectId
    environment = record.environment
    tenantId = record.claims.tenantId
  }

  public var isHomeTenantProfile: Bool { true }

  /// The claims of the ID token.
  public var claims: [String: Any]? { idTokenClaims.dictionary }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}
