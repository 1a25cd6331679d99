public import SluiceKit

extension RequestOutcome {
  /// Whether the request was delivered, either as plaintext or encrypted.
  public var isDelivered: Bool { end == .delivered || end == .deliveredEncrypted }
}
