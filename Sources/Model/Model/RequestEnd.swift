/// The end of a request. Each request has exactly one, after exactly one decision.
public enum RequestEnd: String, Sendable, CaseIterable {
  /// The receiver confirmed the item, or the device carried out the request.
  case delivered
  /// The receiver confirmed ciphertext.
  case deliveredEncrypted
  /// The verdict blocked the request.
  case refused
  /// Allowed, but the receiver went away, or did not take the item in time.
  case undeliverable
  /// Allowed, but the device could not do it: nothing found, a duplicate, a failed store.
  case failed
}
