public import JSON
public import Model

/// An account that can sign in to the device's apps.
public struct AccountSpecification: Sendable, Equatable {
  public var position: Position
  /// The scenario's name for the account.
  public var name: String
  public var upn: String
  /// The object id, a GUID; nil when not known.
  public var objectID: String?
  /// The tenant, a GUID or a domain; nil when not known.
  public var tenantID: String?

  /// Creates the specification of an account.
  public init(
    position: Position, name: String, upn: String, objectID: String? = nil, tenantID: String? = nil
  ) {
    self.position = position
    self.name = name
    self.upn = upn
    self.objectID = objectID
    self.tenantID = tenantID
  }

  public var account: Account { Account(upn: upn, objectID: objectID, tenantID: tenantID) }
}
