/// Why an identity, or a server, cannot be had for TLS.
public enum ManagedTLSError: Error, Sendable, Hashable {
  /// The key of the identity is neither of P-256, P-384 or P-521 nor of RSA.
  case unsupportedKey
  /// The environment of this process does not say how to reach servers, or not in the way that it is documented.
  case environment
}
