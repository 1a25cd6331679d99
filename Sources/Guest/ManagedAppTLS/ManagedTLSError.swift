/// The reason why an identity, or a server, is not available for TLS.
public enum ManagedTLSError: Error, Sendable, Hashable {
  /// The key of the identity is neither of P-256, P-384 or P-521 nor of RSA.
  case unsupportedKey
  /// The environment of this process does not state how to reach servers, or not in the documented form.
  case environment
}
