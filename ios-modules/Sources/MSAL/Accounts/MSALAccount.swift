public import Foundation

/// An account that has signed in to the app.
open class MSALAccount: NSObject, MSALAccountProtocol, NSCopying, @unchecked Sendable {
  public let username: String?
  public let environment: String
  public let tenantProfiles: [MSALTenantProfile]?
  public let homeAccountId: MSALAccountId?
  private let claims: IDTokenClaims

  /// Creates an account from a record of the cache.
  ///
  /// - Parameter withTenantProfiles: true for the result of a lookup; false for the account of an
  ///   `MSALResult`.
  init(_ record: AccountRecord, withTenantProfiles: Bool) {
    claims = record.claims
    username = record.claims.preferredUsername
    environment = record.environment
    homeAccountId = MSALAccountId(record.claims)
    tenantProfiles = withTenantProfiles ? [MSALTenantProfile(record)] : nil
  }

  public var identifier: String? { homeAccountId?.identifier }

  public var accountClaims: [String: Any]? { claims.dictionary }

  public var isSSOAccount: Bool { false }

  /// The identifier by which the device knows the account.
  var deviceAccountId: String { claims.objectId }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? MSALAccount)?.identifier == identifier
  }

  open override var hash: Int { identifier.hashValue }
}
