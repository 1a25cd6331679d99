/// Why a certificate, a key or a file with both cannot be used. It tells nothing of what is in them.
package struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    /// No certificate, key or PKCS #12 file, or one that is cut or damaged.
    case malformed
    /// The password opens nothing.
    case wrongPassword
    /// What it is made with is not supported.
    case unsupported
    /// The key is not that of the certificate.
    case mismatch
  }

  package var code: Code
  /// Lower case, no full stop.
  package var description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
