internal import CCrypto

/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D).
public struct AES256GCM: Sendable {
  public static let keyByteCount = 32
  public static let nonceByteCount = 12
  public static let tagByteCount = 16

  private let key: [UInt8]

  /// `key` must have 32 bytes.
  public init(key: [UInt8]) {
    precondition(key.count == Self.keyByteCount, "an AES-256 key has 32 bytes")
    self.key = key
  }

  /// Nonce, ciphertext and tag in one piece. A nonce must never be used twice with one key; it has 12
  /// bytes.
  public func seal(_ plain: [UInt8], nonce: [UInt8]) -> [UInt8] {
    precondition(nonce.count == Self.nonceByteCount, "an AES-GCM nonce has 12 bytes")
    return withContext { context in
      var sealed = nonce
      sealed.append(contentsOf: [UInt8](repeating: 0, count: plain.count + Self.tagByteCount))
      var length: Int32 = 0
      var isDone = EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
      sealed.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress?.advanced(by: Self.nonceByteCount) else { return }
        let tag = base.advanced(by: plain.count)
        isDone =
          isDone && EVP_EncryptUpdate(context, base, &length, plain, Int32(plain.count)) == 1
          && EVP_EncryptFinal_ex(context, tag, &length) == 1
          && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(Self.tagByteCount), tag) == 1
      }
      precondition(isDone, "libcrypto refuses AES-256-GCM")
      return sealed
    }
  }

  /// The plain text of what ``seal(_:nonce:)`` made; nil where a single bit is not as it was.
  public func open(_ sealed: [UInt8]) -> [UInt8]? {
    let overhead = Self.nonceByteCount + Self.tagByteCount
    guard sealed.count >= overhead else { return nil }
    let body = Array(sealed[Self.nonceByteCount..<(sealed.count - Self.tagByteCount)])
    var tag = Array(sealed.suffix(Self.tagByteCount))
    return withContext { context in
      var plain = [UInt8](repeating: 0, count: body.count + Self.tagByteCount)
      var length: Int32 = 0
      guard EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, sealed) == 1,
        EVP_DecryptUpdate(context, &plain, &length, body, Int32(body.count)) == 1,
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(Self.tagByteCount), &tag) == 1,
        EVP_DecryptFinal_ex(context, &tag, &length) == 1
      else { return nil }
      plain.removeLast(Self.tagByteCount)
      return plain
    }
  }

  private func withContext<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory") }
    defer { EVP_CIPHER_CTX_free(context) }
    return body(context)
  }
}
