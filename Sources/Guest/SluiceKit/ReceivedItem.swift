public import Model
internal import Wire

/// An item that another app sent, or that was loaded from a provider.
public struct ReceivedItem: Sendable {
  public let item: Item
  /// The bundle id of the sender.
  public let sender: String
  /// Whether the payload is ciphertext that this app cannot read.
  public let isEncrypted: Bool
  /// Whether the item came for the unknown, unmanaged account after an identity switch.
  public let isForUnmanagedAccount: Bool

  init(_ item: Item, from sender: String, isEncrypted: Bool = false) {
    self.item = item
    self.sender = sender
    self.isEncrypted = isEncrypted
    isForUnmanagedAccount = false
  }

  init(_ delivery: Delivery) {
    item = delivery.item
    sender = delivery.sender
    isEncrypted = delivery.isEncrypted
    isForUnmanagedAccount = delivery.isForUnmanaged
  }
}
