/// A fault that a scenario, or a walk, lets a device meet.
public enum FaultKind: String, Sendable, CaseIterable {
  /// A guest is killed.
  case kill
  /// A guest does not run for a time, as on a machine under load; the device does not know.
  case stop
  /// A guest takes what it is sent a few bytes at a time.
  case slowReader
  /// A guest's connection breaks off in the middle of a frame of the guest's.
  case halfFrame
  /// The answer to the sender of the transfer is lost.
  case dropAnswer
  /// The device can write neither its journal nor its database.
  case fullDisk
  /// The device's clock jumps ahead.
  case clockJump
  /// An account gets other policies.
  case policy
  /// An account is wiped from an app.
  case wipe
  /// The device's process dies, and the device comes up again from its folder.
  case restartHost
}

/// A point on the way of a transfer at which a fault strikes.
public enum FaultPoint: String, Sendable, CaseIterable {
  /// The decision is in the journal, and nothing of the item has left the device.
  case decided
  /// The item is in the receiver's pipe, and the receiver has read nothing of it.
  case delivered
  /// The receiver has confirmed the item, and the sender has not been told; the end follows in the journal.
  case halfAcknowledged
}
