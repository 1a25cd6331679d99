/// The reason why a certificate, a key or a file with both cannot be used. It reveals nothing of the content.
package struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  package enum Code: Sendable, Hashable {
    /// No certificate, key or PKCS #12 file, or one that is cut or damaged.
    case malformed
    /// The password does not open the file.
    case wrongPassword
    /// An algorithm or a form is not supported.
    case unsupported
    /// The key does not belong to the certificate.
    case mismatch
  }

  package var code: Code
  /// One clause, lower case, no full stop.
  package var description: String

  /// An error of `code`.
  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
