/// How a request ended. Each has exactly one end, after exactly one decision.
public enum RequestEnd: String, Sendable, CaseIterable {
  /// The receiver confirmed it, or the device did what was asked.
  case delivered
  /// The receiver confirmed ciphertext.
  case deliveredEncrypted
  /// The verdict was no.
  case refused
  /// Allowed, but the receiver went away, or did not take it in time.
  case undeliverable
  /// Allowed, but the device could not: nothing found, a duplicate, a failed store.
  case failed
}
