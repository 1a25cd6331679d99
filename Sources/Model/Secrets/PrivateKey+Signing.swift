internal import CCrypto
package import Model

extension PrivateKey {
  /// Signs `data`.
  ///
  /// - Throws: ``SecretError`` where the key does not sign with `algorithm`.
  package func sign(
    _ data: [UInt8], _ algorithm: SignatureAlgorithm
  ) throws(SecretError) -> [UInt8] {
    defer { ERR_clear_error() }
    guard algorithm.scheme.isRSA ? isRSA : isElliptic else {
      throw SecretError(.unsupported, "the key does not sign with \(algorithm)")
    }
    let signature =
      switch algorithm.scheme {
      case .digest: signDigest(data)
      case .ecdsa(let hash), .pkcs1(let hash): signMessage(data, hash)
      case .pss(let hash): signMessage(data, hash, RSA_PKCS1_PSS_PADDING)
      }
    guard let signature else {
      throw SecretError(.unsupported, "the key does not sign this")
    }
    return signature
  }

  /// Signs a message.
  ///
  /// - Parameter padding: the RSA padding; nil for the key's usual one.
  private func signMessage(_ data: [UInt8], _ hash: Hash, _ padding: Int32? = nil) -> [UInt8]? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    // It belongs to the digest's context.
    var keyContext: OpaquePointer?
    guard EVP_DigestSignInit(context, &keyContext, hash.digest, nil, pointer) == 1 else {
      return nil
    }
    if let padding {
      // A salt as long as the digest is -1 (`EVP_PKEY_CTX_set_rsa_pss_saltlen`).
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

/// The digest that is signed.
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
  /// ECDSA over data that are a digest already.
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
