internal import CCrypto

/// A P-256 private key for ECDSA signatures over SHA-256 (FIPS 186-5).
package final class P256SigningKey {
  /// The length of a signature in bytes: r, then s, 32 bytes each.
  package static let signatureByteCount = 64

  private let key: OpaquePointer

  private init(_ key: OpaquePointer) { self.key = key }

  deinit { EVP_PKEY_free(key) }

  /// Generates a key.
  package convenience init() {
    guard let key = sluice_make_p256_key() else { preconditionFailure("libcrypto makes no key") }
    self.init(key)
  }

  /// Reads a key from ``derRepresentation``; nil for other bytes.
  package convenience init?(derRepresentation bytes: [UInt8]) {
    let key = bytes.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return d2i_PrivateKey(EVP_PKEY_EC, nil, &start, buffer.count)
    }
    guard let key else { return nil }
    self.init(key)
    guard publicKey.count == 65, EVP_PKEY_get_bits(key) == 256 else { return nil }
  }

  /// The private key in DER (SEC 1, section C.4). This is a secret.
  package var derRepresentation: [UInt8] {
    let count = i2d_PrivateKey(key, nil)
    precondition(count > 0, "libcrypto does not write its key")
    var bytes = [UInt8](repeating: 0, count: Int(count))
    bytes.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      _ = i2d_PrivateKey(key, &start)
    }
    return bytes
  }

  /// The uncompressed point: the byte 4, then x and y (SEC 1, section 2.3.3).
  package var publicKey: [UInt8] {
    var count = 0
    EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, nil, 0, &count)
    var bytes = [UInt8](repeating: 0, count: count)
    EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, &bytes, count, &count)
    return bytes
  }

  /// Signs `message`. Returns ``signatureByteCount`` bytes, different each time.
  package func signature(of message: [UInt8]) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory") }
    defer { EVP_MD_CTX_free(context) }
    var der = [UInt8](repeating: 0, count: 80)
    var count = der.count
    let isSigned =
      EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestSign(context, &der, &count, message, message.count) == 1
    precondition(isSigned, "libcrypto does not sign")
    return Self.numbers(ofSignature: der, count)
  }

  private static func numbers(ofSignature der: [UInt8], _ count: Int) -> [UInt8] {
    let signature = der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return d2i_ECDSA_SIG(nil, &start, count)
    }
    guard let signature else { preconditionFailure("libcrypto does not read its signature") }
    defer { ECDSA_SIG_free(signature) }
    var numbers = [UInt8](repeating: 0, count: signatureByteCount)
    numbers.withUnsafeMutableBufferPointer { buffer in
      BN_bn2binpad(ECDSA_SIG_get0_r(signature), buffer.baseAddress, 32)
      BN_bn2binpad(ECDSA_SIG_get0_s(signature), buffer.baseAddress?.advanced(by: 32), 32)
    }
    return numbers
  }
}
