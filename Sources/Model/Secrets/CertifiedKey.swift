internal import Model

/// A private key with the certificates that vouch for it.
///
/// For one thread at a time.
package final class CertifiedKey {
  /// The key's own certificate first, then those of its issuers as far as they are known.
  package let certificates: [Certificate]
  package let key: PrivateKey

  /// Makes a pair of a key and its certificates.
  ///
  /// - Throws: ``SecretError`` where there is no certificate, or the first one is another key's.
  package init(_ certificates: [Certificate], key: PrivateKey) throws(SecretError) {
    guard let first = certificates.first, first.isOf(key) else {
      throw SecretError(.mismatch, "the key is not that of the certificate")
    }
    self.certificates = certificates
    self.key = key
  }
}
