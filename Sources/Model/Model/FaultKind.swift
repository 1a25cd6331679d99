/// A fault that a scenario or a random walk injects into a device.
public enum FaultKind: String, Sendable, CaseIterable {
  case kill
  /// A guest's process is paused for a time, as on a loaded machine. The device is not informed.
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
  /// The policies that apply to an account change.
  case policy
  /// An account is wiped from an app.
  case wipe
  /// The device's process is killed and restarted from its folder.
  case restartHost
}

/// The stage of a transfer at which a fault is injected.
public enum FaultPoint: String, Sendable, CaseIterable {
  /// The decision is in the journal, and the device has sent no part of the item.
  case decided
  /// The device has written the item to the receiver's pipe, and the receiver has not read it.
  case delivered
  /// The receiver has acknowledged the item, but the sender has no response and the journal does not yet record the end
  /// of the request.
  case halfAcknowledged
}
