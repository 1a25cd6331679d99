public import JSON
public import Model

/// Somebody who can sign in to the device's apps.
public struct AccountSpecification: Sendable, Equatable {
  public var position: Position
  /// What the scenario calls the account.
  public var name: String
  public var upn: String
  /// A GUID; nil when not known.
  public var objectID: String?
  /// A GUID or a domain; nil when not known.
  public var tenantID: String?

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
