/// A point on the way of a transfer at which a fault strikes.
public enum FaultPoint: String, Sendable, CaseIterable {
  /// The decision is in the journal, and nothing of the item has left the device.
  case decided
  /// The item is in the receiver's pipe, and the receiver has read nothing of it.
  case delivered
  /// The receiver has confirmed the item, and the sender has not been told; the end follows in the journal.
  case halfAcknowledged
}
