internal import CCrypto
package import Transfer

extension PrivateKey {
  /// Signs `data`.
  ///
  /// - Throws: ``SecretError`` where the key does not sign in that way.
  package func sign(
    _ data: [UInt8], _ algorithm: SignatureAlgorithm
  ) throws(SecretError) -> [UInt8] {
    defer { ERR_clear_error() }
    let isForRSA =
      switch algorithm {
      case .rsaSignatureMessagePKCS1v15SHA256, .rsaSignatureMessagePSSSHA256: true
      case .ecdsaSignatureMessageX962SHA256, .ecdsaSignatureDigestX962: false
      }
    guard isForRSA ? isRSA : isElliptic else {
      throw SecretError(.unsupported, "the key does not sign with \(algorithm)")
    }
    let signature =
      algorithm == .ecdsaSignatureDigestX962
      ? signDigest(data) : signMessage(data, isPSS: algorithm == .rsaSignatureMessagePSSSHA256)
    guard let signature else {
      throw SecretError(.unsupported, "the key does not sign this")
    }
    return signature
  }

  private func signMessage(_ data: [UInt8], isPSS: Bool) -> [UInt8]? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    // It belongs to the digest's context.
    var keyContext: OpaquePointer?
    guard EVP_DigestSignInit(context, &keyContext, EVP_sha256(), nil, pointer) == 1 else {
      return nil
    }
    if isPSS {
      // A salt as long as the digest is -1 (`EVP_PKEY_CTX_set_rsa_pss_saltlen`).
      guard EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PSS_PADDING) == 1,
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
