public import SluiceKit

extension RequestOutcome {
  /// Whether what was asked for has happened, encrypted or not.
  public var isDelivered: Bool { end == .delivered || end == .deliveredEncrypted }
}
