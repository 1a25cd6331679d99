internal import CCrypto
package import Model

/// A private key in libcrypto. Only ``der`` exports it, for storage in the database of the key's owner.
///
/// Confined to one thread at a time.
package final class PrivateKey {
  package enum Kind: Sendable, Hashable {
    case p256, p384, p521
    /// RSA with a size of 1024 to 8192 bits.
    case rsa(Int)
  }

  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { EVP_PKEY_free(pointer) }

  /// Generates a key.
  ///
  /// - Throws: ``SecretError`` if libcrypto cannot generate keys of this kind.
  package convenience init(_ kind: Kind) throws(SecretError) {
    guard let key = Self.make(kind) else {
      ERR_clear_error()
      throw SecretError(.unsupported, "keys of this kind cannot be generated")
    }
    self.init(owning: key)
  }

  private static func make(_ kind: Kind) -> OpaquePointer? {
    let family = if case .rsa = kind { EVP_PKEY_RSA } else { EVP_PKEY_EC }
    guard let context = EVP_PKEY_CTX_new_id(family, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_keygen_init(context) == 1 else { return nil }
    let isSet =
      switch kind {
      case .p256: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
      case .p384: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_secp384r1)
      case .p521: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_secp521r1)
      case .rsa(let bits):
        (1024...8192).contains(bits)
          ? EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) : 0
      }
    var key: OpaquePointer?
    guard isSet == 1, EVP_PKEY_keygen(context, &key) == 1 else { return nil }
    return key
  }

  package convenience init(der: [UInt8]) throws(SecretError) {
    let key = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      return d2i_AutoPrivateKey(nil, &start, bytes.count)
    }
    guard let key else {
      ERR_clear_error()
      throw SecretError(.malformed, "no private key")
    }
    self.init(owning: key)
  }

  package var der: [UInt8] { encoded { i2d_PrivateKey(pointer, $0) } }

  /// The public key in DER (`SubjectPublicKeyInfo`).
  package var publicKey: [UInt8] { encoded { i2d_PUBKEY(pointer, $0) } }

  package var isRSA: Bool { EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA }

  private var isElliptic: Bool { EVP_PKEY_get_base_id(pointer) == EVP_PKEY_EC }
}

/// Calls `encode`, an `i2d` function of libcrypto, and returns its output in DER; empty if the function fails.
func encoded(
  _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
) -> [UInt8] {
  var bytes: UnsafeMutablePointer<UInt8>?
  let count = encode(&bytes)
  guard count > 0, let bytes else { return [] }
  defer { CRYPTO_clear_free(bytes, Int(count), nil, 0) }
  return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
}

// MARK: - Signatures

extension PrivateKey {
  /// Signs a message or a digest, depending on `algorithm`.
  ///
  /// - Throws: ``SecretError`` if the key does not support `algorithm`, or the digest has an unsupported length.
  package func sign(
    _ data: [UInt8], _ algorithm: SignatureAlgorithm
  ) throws(SecretError) -> [UInt8] {
    defer { ERR_clear_error() }
    guard algorithm.scheme.isRSA ? isRSA : isElliptic else {
      throw SecretError(.unsupported, "the key does not support \(algorithm)")
    }
    let signature =
      switch algorithm.scheme {
      case .digest: signDigest(data)
      case .ecdsa(let hash), .pkcs1(let hash): signMessage(data, hash)
      case .pss(let hash): signMessage(data, hash, RSA_PKCS1_PSS_PADDING)
      }
    guard let signature else {
      throw SecretError(.unsupported, "the key cannot sign this data")
    }
    return signature
  }

  /// Signs the hash of `data`; nil if libcrypto fails.
  ///
  /// - Parameter padding: The RSA padding; nil for the key's default.
  private func signMessage(_ data: [UInt8], _ hash: Hash, _ padding: Int32? = nil) -> [UInt8]? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    // The digest context owns the key context.
    var keyContext: OpaquePointer?
    guard EVP_DigestSignInit(context, &keyContext, hash.digest, nil, pointer) == 1 else {
      return nil
    }
    if let padding {
      // -1 selects a salt as long as the digest (`EVP_PKEY_CTX_set_rsa_pss_saltlen`).
      guard EVP_PKEY_CTX_set_rsa_padding(keyContext, padding) == 1,
        EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, -1) == 1
      else { return nil }
    }
    var count = Int(EVP_PKEY_get_size(pointer))
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &signature, &count, data, data.count) == 1 else { return nil }
    return Array(signature[..<count])
  }

  private func signDigest(_ digest: [UInt8]) -> [UInt8]? {
    guard (20...64).contains(digest.count), let context = EVP_PKEY_CTX_new(pointer, nil) else {
      return nil
    }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_sign_init(context) == 1 else { return nil }
    var count = Int(EVP_PKEY_get_size(pointer))
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1 else { return nil }
    return Array(signature[..<count])
  }
}

// MARK: - JSON Web Signatures

extension PrivateKey {
  /// The public point of a P-256 key, uncompressed: the byte 4, then x and y with 32 bytes each (SEC 1, section 2.3.3);
  /// nil for other kinds of keys.
  package var p256Point: [UInt8]? {
    // In `SubjectPublicKeyInfo` (RFC 5480), 26 bytes name the curve, and the point follows.
    let info = publicKey
    guard isElliptic, EVP_PKEY_get_bits(pointer) == 256, info.count == 26 + 65 else { return nil }
    return Array(info.suffix(65))
  }

  /// Signs a message with ES256 (RFC 7518, section 3.4). Returns r and s with 32 bytes each. Each call returns a
  /// different signature, even for the same message.
  ///
  /// - Precondition: The key is a P-256 key.
  package func es256Signature(of message: [UInt8]) -> [UInt8] {
    let signature = signMessage(message, .sha256)?.withUnsafeBufferPointer { der in
      var start = der.baseAddress
      return d2i_ECDSA_SIG(nil, &start, der.count)
    }
    guard let signature else { preconditionFailure("libcrypto cannot sign") }
    defer { ECDSA_SIG_free(signature) }
    return [ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature)].flatMap { number in
      var bytes = [UInt8](repeating: 0, count: 32)
      precondition(BN_bn2binpad(number, &bytes, 32) == 32, "the key is not a P-256 key")
      return bytes
    }
  }
}

// MARK: - Schemes

private enum Hash {
  case sha256, sha384, sha512

  var digest: OpaquePointer? {
    switch self {
    case .sha256: EVP_sha256()
    case .sha384: EVP_sha384()
    case .sha512: EVP_sha512()
    }
  }
}

private enum Scheme {
  case ecdsa(Hash), pkcs1(Hash), pss(Hash)
  /// ECDSA over data that the caller has already hashed.
  case digest

  var isRSA: Bool {
    switch self {
    case .pkcs1, .pss: true
    case .ecdsa, .digest: false
    }
  }
}

extension SignatureAlgorithm {
  fileprivate var scheme: Scheme {
    switch self {
    case .ecdsaSignatureDigestX962: .digest
    case .ecdsaSignatureMessageX962SHA256: .ecdsa(.sha256)
    case .ecdsaSignatureMessageX962SHA384: .ecdsa(.sha384)
    case .ecdsaSignatureMessageX962SHA512: .ecdsa(.sha512)
    case .rsaSignatureMessagePKCS1v15SHA256: .pkcs1(.sha256)
    case .rsaSignatureMessagePKCS1v15SHA384: .pkcs1(.sha384)
    case .rsaSignatureMessagePKCS1v15SHA512: .pkcs1(.sha512)
    case .rsaSignatureMessagePSSSHA256: .pss(.sha256)
    case .rsaSignatureMessagePSSSHA384: .pss(.sha384)
    case .rsaSignatureMessagePSSSHA512: .pss(.sha512)
    }
  }
}

// MARK: - Error

/// The reason why a certificate, a key or a PKCS #12 file cannot be used. It contains nothing secret.
package struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    /// The bytes are not a certificate, key or PKCS #12 file, or are truncated or damaged.
    case malformed
    case wrongPassword
    /// The algorithm or the encoding is not supported.
    case unsupported
    /// The key and the certificate do not belong together.
    case mismatch
  }

  package var code: Code
  /// The reason as a clause, in lower case, without a full stop.
  package var description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
