/// Who somebody is to an organisation.
///
/// Two accounts are the same when both state an object id and those agree, whatever their names (a UPN
/// may be renamed, or given to somebody else); otherwise when their UPNs agree. Case never matters
/// (seed 001, "Identity overview").
public struct Account: Sendable {
  /// The user principal name as it was written, such as `anna@contoso.com`. Not empty.
  public let upn: String
  /// The Entra object id, a GUID; nil when not known.
  public let objectID: String?
  /// The Entra tenant, a GUID or a domain; nil when not known.
  public let tenantID: String?

  private let upnKey: String
  private let objectKey: String?
  private let tenantKey: String?

  public init(upn: String, objectID: String? = nil, tenantID: String? = nil) {
    self.upn = upn
    self.objectID = objectID
    self.tenantID = tenantID
    upnKey = upn.lowercased()
    objectKey = objectID?.lowercased()
    tenantKey = tenantID?.lowercased()
  }

  public func isSame(as other: Account) -> Bool {
    if let objectKey, let otherKey = other.objectKey { return objectKey == otherKey }
    return upnKey == other.upnKey
  }

  /// Whether `identity`, a UPN or an object id in any casing, names this account.
  public func isNamed(_ identity: String) -> Bool {
    let key = identity.lowercased()
    return key == upnKey || key == objectKey
  }

  /// Whether both are known to belong to one organisation: the tenants where both state one, else the
  /// domains of the UPNs.
  public func isSameTenant(as other: Account) -> Bool {
    if let tenantKey, let otherKey = other.tenantKey { return tenantKey == otherKey }
    guard let domain, let otherDomain = other.domain else { return false }
    return domain == otherDomain
  }

  private var domain: Substring? {
    upnKey.lastIndex(of: "@").map { upnKey[upnKey.index(after: $0)...] }
  }
}
