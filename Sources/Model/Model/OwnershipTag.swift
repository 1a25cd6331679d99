/// The owner of an item, sealed by the device that states it.
///
/// Only the host makes tags. An app may keep one and hand it back with the item; the host then checks the
/// seal before it believes the tag.
public struct OwnershipTag: Sendable, Equatable {
  /// The owner's UPN; `""` for an unknown, unmanaged owner.
  public var ownerUPN: String
  /// The owner's object id; `""` when not known.
  public var ownerObjectID: String
  /// The owner's tenant; `""` when not known.
  public var ownerTenantID: String
  /// Whether a policy protected the owner's data in the app that it came from.
  public var isManaged: Bool
  /// The bundle id of the app that sent the item.
  public var originApp: String
  /// Identifier of the device that sealed the tag.
  public var device: String
  /// The item's number on the device that sealed the tag: that of the request by which it was handed over.
  public var sequence: UInt64
  /// HMAC-SHA256 over all fields above and the payload, 32 bytes.
  public var seal: [UInt8]

  /// A tag with all its fields.
  public init(
    ownerUPN: String, ownerObjectID: String, ownerTenantID: String, isManaged: Bool,
    originApp: String, device: String, sequence: UInt64, seal: [UInt8]
  ) {
    self.ownerUPN = ownerUPN
    self.ownerObjectID = ownerObjectID
    self.ownerTenantID = ownerTenantID
    self.isManaged = isManaged
    self.originApp = originApp
    self.device = device
    self.sequence = sequence
    self.seal = seal
  }

  /// The owner; nil when unknown.
  public var owner: Account? {
    guard !ownerUPN.isEmpty else { return nil }
    return Account(
      upn: ownerUPN, objectID: ownerObjectID.isEmpty ? nil : ownerObjectID,
      tenantID: ownerTenantID.isEmpty ? nil : ownerTenantID)
  }
}
