public import Foundation

/// The identifier of an account in its home tenant.
open class MSALAccountId: NSObject, NSCopying, @unchecked Sendable {
  /// The identifier in the form `<OID>.<tenant>`.
  public let identifier: String
  public let objectId: String?
  public let tenantId: String?

  init(_ claims: IDTokenClaims) {
    identifier = claims.homeAccountId
    objectId = claims.objectId
    tenantId = claims.tenantId
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? MSALAccountId)?.identifier == identifier
  }

  open override var hash: Int { identifier.hashValue }
}
