/// A fault that a scenario or a random walk injects into a device.
public enum FaultKind: String, Sendable, CaseIterable {
  case kill
  /// A guest is stopped for a time, as on a loaded machine, without the device's knowledge.
  case stop
  /// A guest reads only a few bytes at a time.
  case slowReader
  /// A guest's connection closes in the middle of one of the guest's frames.
  case halfFrame
  /// The response to the sender of the transfer is lost.
  case dropAnswer
  /// The device can write neither its journal nor its database.
  case fullDisk
  /// The device's clock jumps forward.
  case clockJump
  /// An account gets different policies.
  case policy
  /// An account is wiped from an app.
  case wipe
  /// The device's process is killed and restarted from its folder.
  case restartHost
}

/// The stage of a transfer at which a fault is injected.
public enum FaultPoint: String, Sendable, CaseIterable {
  /// The decision is in the journal, and the device has not sent any of the item.
  case decided
  /// The item is in the receiver's pipe, unread.
  case delivered
  /// The receiver has acknowledged the item. The sender has no response, and the journal has no end yet.
  case halfAcknowledged
}
