internal import CCrypto

/// A PKCS #12 file (RFC 7292): a private key and its certificates under a password.
package struct PKCS12File {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Opens the file.
  ///
  /// - Throws: ``SecretError`` where the file is damaged, the password opens it not, it is made with algorithms that
  ///   OpenSSL 3 leaves to its legacy provider (RC2), or key and certificate are not there or not a pair.
  package func open(password: String) throws(SecretError) -> CertifiedKey {
    defer { ERR_clear_error() }
    let file = bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      return d2i_PKCS12(nil, &start, bytes.count)
    }
    guard let file else { throw SecretError(.malformed, "the file is no PKCS #12 file, or is cut") }
    defer { PKCS12_free(file) }
    guard Self.iterations(of: file) <= Self.maximumIterations else {
      throw SecretError(
        .unsupported, "the PKCS #12 file wants more than \(Self.maximumIterations) iterations")
    }
    guard PKCS12_verify_mac(file, password, -1) == 1 else {
      throw SecretError(.wrongPassword, "the password does not open the PKCS #12 file")
    }
    ERR_clear_error()
    var key: OpaquePointer?
    var certificate: OpaquePointer?
    var others: OpaquePointer?
    guard PKCS12_parse(file, password, &key, &certificate, &others) == 1 else {
      throw SecretError(.unsupported, "what is in the PKCS #12 file cannot be read")
    }
    let chain = Self.take(others)
    let owned = certificate.map(Certificate.init(owning:))
    guard let key = key.map(PrivateKey.init(owning:)) else {
      throw SecretError(.malformed, "the PKCS #12 file has no private key")
    }
    guard let owned else {
      throw SecretError(.malformed, "the PKCS #12 file has no certificate of its key")
    }
    return try CertifiedKey([owned] + chain, key: key)
  }

  /// Of the function that makes a key of the password: a file, damaged or not, must not keep the device busy for long.
  package static let maximumIterations = 1_000_000

  private static func iterations(of file: OpaquePointer) -> Int {
    var count: UnsafePointer<ASN1_INTEGER>?
    PKCS12_get0_mac(nil, nil, nil, &count, file)
    // One is the default, and negative what does not fit.
    guard let count else { return 1 }
    let iterations = ASN1_INTEGER_get(count)
    return iterations < 0 ? .max : iterations
  }

  /// Takes the certificates out of a list of libcrypto's.
  private static func take(_ list: OpaquePointer?) -> [Certificate] {
    guard let list else { return [] }
    defer { OPENSSL_sk_free(list) }
    return (0..<max(0, OPENSSL_sk_num(list))).compactMap { index in
      OPENSSL_sk_value(list, index).map { Certificate(owning: OpaquePointer($0)) }
    }
  }
}
