internal import Model

/// A private key with the certificates that vouch for it.
///
/// For one thread at a time.
package final class CertifiedKey {
  /// The key's own first, then those of its issuers as far as they are known.
  package let certificates: [Certificate]
  package let key: PrivateKey

  /// - Throws: ``SecretError`` where the first certificate is another key's.
  package init(_ certificates: [Certificate], key: PrivateKey) throws(SecretError) {
    guard let first = certificates.first, first.isOf(key) else {
      throw SecretError(.mismatch, "the key is not that of the certificate")
    }
    self.certificates = certificates
    self.key = key
  }
}
