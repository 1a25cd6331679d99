internal import CCrypto
internal import Glibc
internal import Model

/// An X.509 certificate.
///
/// For one thread at a time.
package final class Certificate {
  let pointer: OpaquePointer

  /// Takes over a certificate.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { X509_free(pointer) }

  /// Reads a certificate.
  ///
  /// - Throws: ``SecretError`` where `der` is not one certificate with nothing after it.
  package convenience init(der: [UInt8]) throws(SecretError) {
    var rest = 0
    let certificate = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      let certificate = d2i_X509(nil, &start, bytes.count)
      if let start, let base = bytes.baseAddress { rest = bytes.count - (start - base) }
      return certificate
    }
    ERR_clear_error()
    guard let certificate else { throw SecretError(.malformed, "no X.509 certificate") }
    self.init(owning: certificate)
    guard rest == 0 else {
      throw SecretError(.malformed, "there is something behind the certificate")
    }
  }

  /// The certificate in DER.
  package var der: [UInt8] { encoded { i2d_X509(pointer, $0) } }

  /// The holder, as `CN=phone,O=Contoso`.
  package var subject: String { X509_get_subject_name(pointer).map(Self.text) ?? "" }

  /// The issuer, in the form of ``subject``.
  package var issuer: String { X509_get_issuer_name(pointer).map(Self.text) ?? "" }

  /// The start of validity, in seconds since 1970-01-01T00:00:00Z; nil where the certificate states none.
  package var notBefore: Int? { X509_get0_notBefore(pointer).flatMap(Self.seconds) }

  /// The end of validity, in seconds since 1970-01-01T00:00:00Z; nil where the certificate states none.
  package var notAfter: Int? { X509_get0_notAfter(pointer).flatMap(Self.seconds) }

  /// The reason why the certificate does not hold at `time`, as a clause; nil where it holds.
  package func fault(at time: Int) -> String? {
    guard let notBefore, let notAfter else { return "it does not say how long it holds" }
    if time < notBefore { return "it does not hold before \(Timestamp.text(notBefore))" }
    if time > notAfter { return "it expired at \(Timestamp.text(notAfter))" }
    return nil
  }

  /// Whether `issuer` signed the certificate.
  package func isSigned(by issuer: Certificate) -> Bool {
    defer { ERR_clear_error() }
    guard let key = X509_get0_pubkey(issuer.pointer) else { return false }
    return X509_verify(pointer, key) == 1
  }

  /// Whether the certificate's key made `signature` over `data`: ECDSA with SHA-256, or PKCS #1 v1.5 for RSA keys.
  package func verifies(_ signature: [UInt8], of data: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    guard let key = X509_get0_pubkey(pointer), let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
    return EVP_DigestVerify(context, signature, signature.count, data, data.count) == 1
  }

  func isOf(_ key: PrivateKey) -> Bool {
    defer { ERR_clear_error() }
    return X509_check_private_key(pointer, key.pointer) == 1
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>) -> Int? {
    var parts = tm()
    guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return timegm(&parts)
  }

  /// The flags of RFC 2253, except that characters beyond ASCII stay as they are.
  private static let nameFlags = [
    Int(ASN1_STRFLGS_ESC_2253), Int(ASN1_STRFLGS_ESC_CTRL), Int(ASN1_STRFLGS_UTF8_CONVERT),
    Int(ASN1_STRFLGS_DUMP_UNKNOWN), Int(ASN1_STRFLGS_DUMP_DER), Int(XN_FLAG_SEP_COMMA_PLUS),
    Int(XN_FLAG_DN_REV), Int(XN_FLAG_DUMP_UNKNOWN_FIELDS),
  ].reduce(0) { $0 | UInt($1) }

  private static func text(_ name: OpaquePointer) -> String {
    guard let text = BIO_new(BIO_s_mem()) else { return "" }
    defer { BIO_free(text) }
    guard X509_NAME_print_ex(text, name, 0, nameFlags) >= 0 else { return "" }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256)
    while case let count = BIO_read(text, &chunk, Int32(chunk.count)), count > 0 {
      bytes += chunk[..<Int(count)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
