internal import CCrypto

/// A private key of libcrypto. The key leaves this process only by ``der``, for its owner's database.
///
/// For one thread at a time.
package final class PrivateKey {
  /// The kind and the size of a key.
  package enum Kind: Sendable, Hashable {
    case p256, p384, p521
    /// RSA with a size in bits, 1024 to 8192.
    case rsa(Int)
  }

  let pointer: OpaquePointer

  /// Takes over a key.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { EVP_PKEY_free(pointer) }

  /// Makes a new key.
  ///
  /// - Throws: ``SecretError`` where libcrypto makes none of that kind.
  package convenience init(_ kind: Kind) throws(SecretError) {
    guard let key = Self.make(kind) else {
      ERR_clear_error()
      throw SecretError(.unsupported, "a key of this kind cannot be made")
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

  /// Reads a key in DER.
  ///
  /// - Throws: ``SecretError`` where `der` is no key.
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

  /// The private key in DER.
  package var der: [UInt8] { encoded { i2d_PrivateKey(pointer, $0) } }

  /// The public half (`SubjectPublicKeyInfo`).
  package var publicKey: [UInt8] { encoded { i2d_PUBKEY(pointer, $0) } }

  /// Whether the key is an RSA key.
  package var isRSA: Bool { EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA }

  /// Whether the key is a key of an elliptic curve.
  package var isElliptic: Bool { EVP_PKEY_get_base_id(pointer) == EVP_PKEY_EC }
}

/// Runs one of libcrypto's `i2d` functions.
///
/// - Returns: the bytes in DER, empty where the function fails.
func encoded(
  _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
) -> [UInt8] {
  var bytes: UnsafeMutablePointer<UInt8>?
  let count = encode(&bytes)
  guard count > 0, let bytes else { return [] }
  defer { CRYPTO_clear_free(bytes, Int(count), nil, 0) }
  return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
}
