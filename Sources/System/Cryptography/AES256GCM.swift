internal import CCrypto

/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D).
package struct AES256GCM: Sendable {
  package static let keyByteCount = 32
  package static let nonceByteCount = 12
  package static let tagByteCount = 16

  private let key: [UInt8]

  /// - Precondition: `key` has 32 bytes.
  package init(key: [UInt8]) {
    precondition(key.count == Self.keyByteCount, "an AES-256 key must have 32 bytes")
    self.key = key
  }

  /// Encrypts `plain` and returns nonce, ciphertext and tag, concatenated.
  ///
  /// - Parameters:
  ///   - nonce: 12 bytes, never reused with the same key.
  ///   - additionalData: authenticated, but not included in the result. To open the result, the same data is required.
  package func seal(
    _ plain: [UInt8], nonce: [UInt8], additionalData: [UInt8] = []
  ) -> [UInt8] {
    precondition(nonce.count == Self.nonceByteCount, "an AES-GCM nonce must have 12 bytes")
    let context = AES256GCMContext(key: key)
    var sealed = nonce
    sealed.reserveCapacity(Self.nonceByteCount + plain.count + Self.tagByteCount)
    sealed += plain
    sealed.append(contentsOf: repeatElement(0, count: Self.tagByteCount))
    sealed.withUnsafeMutableBytes { bytes in
      let body = Self.nonceByteCount..<(Self.nonceByteCount + plain.count)
      let cipher = UnsafeMutableRawBufferPointer(rebasing: bytes[body])
      nonce.withUnsafeBytes { nonce in
        additionalData.withUnsafeBytes { additionalData in
          context.seal(
            UnsafeRawBufferPointer(cipher), into: cipher, nonce: nonce,
            additionalData: additionalData,
            tag: UnsafeMutableRawBufferPointer(rebasing: bytes[body.upperBound...]))
        }
      }
    }
    return sealed
  }

  /// Decrypts `sealed`, which ``seal(_:nonce:additionalData:)`` returned. Returns nil if authentication fails or
  /// `sealed` is too short.
  package func open(_ sealed: [UInt8], additionalData: [UInt8] = []) -> [UInt8]? {
    let overhead = Self.nonceByteCount + Self.tagByteCount
    guard sealed.count >= overhead else { return nil }
    let context = AES256GCMContext(key: key)
    let body = Self.nonceByteCount..<(sealed.count - Self.tagByteCount)
    var plain = [UInt8](repeating: 0, count: body.count)
    let isAsItWas = plain.withUnsafeMutableBytes { plain in
      sealed.withUnsafeBytes { bytes in
        additionalData.withUnsafeBytes { additionalData in
          context.open(
            UnsafeRawBufferPointer(rebasing: bytes[body]), into: plain,
            nonce: UnsafeRawBufferPointer(rebasing: bytes[..<body.lowerBound]),
            additionalData: additionalData,
            tag: UnsafeRawBufferPointer(rebasing: bytes[body.upperBound...]))
        }
      }
    }
    return isAsItWas ? plain : nil
  }
}

/// AES-256-GCM encryption of many messages with one key. The key is expanded once, and messages cause no allocation.
///
/// Confined to one thread at a time.
package final class AES256GCMContext {
  private let sealing: OpaquePointer
  private let opening: OpaquePointer

  /// - Precondition: `key` has 32 bytes.
  package init(key: [UInt8]) {
    precondition(key.count == AES256GCM.keyByteCount, "an AES-256 key must have 32 bytes")
    guard let sealing = EVP_CIPHER_CTX_new(), let opening = EVP_CIPHER_CTX_new() else {
      preconditionFailure("out of memory")
    }
    self.sealing = sealing
    self.opening = opening
    let isReady =
      EVP_EncryptInit_ex(sealing, EVP_aes_256_gcm(), nil, key, nil) == 1
      && EVP_DecryptInit_ex(opening, EVP_aes_256_gcm(), nil, key, nil) == 1
    precondition(isReady, "libcrypto refuses AES-256-GCM")
  }

  deinit {
    EVP_CIPHER_CTX_free(sealing)
    EVP_CIPHER_CTX_free(opening)
  }

  /// Encrypts `plain` into `sealed`, which has the same size and may be the same memory, and writes the
  /// 16-byte tag to `tag`.
  ///
  /// The nonce has 12 bytes and must never be reused with the same key. `additionalData` is authenticated, not
  /// encrypted. Each buffer has less than 2 GiB.
  package func seal(
    _ plain: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, additionalData: UnsafeRawBufferPointer,
    tag: UnsafeMutableRawBufferPointer
  ) {
    checkSizes(plain.count, sealed.count, nonce.count, tag.count)
    let tagBytes = tag.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var length: Int32 = 0
    var isDone =
      EVP_EncryptInit_ex(sealing, nil, nil, nil, Self.bytes(nonce)) == 1
      && (additionalData.isEmpty
        || EVP_EncryptUpdate(
          sealing, nil, &length, Self.bytes(additionalData), Int32(additionalData.count)) == 1)
    if !plain.isEmpty {
      isDone =
        isDone
        && EVP_EncryptUpdate(
          sealing, sealed.baseAddress?.assumingMemoryBound(to: UInt8.self), &length,
          Self.bytes(plain), Int32(plain.count)) == 1
    }
    isDone =
      isDone && EVP_EncryptFinal_ex(sealing, tagBytes, &length) == 1
      && EVP_CIPHER_CTX_ctrl(
        sealing, EVP_CTRL_GCM_GET_TAG, Int32(AES256GCM.tagByteCount), tagBytes) == 1
    precondition(isDone, "libcrypto refuses AES-256-GCM")
  }

  /// Decrypts `sealed` into `plain`, which has the same size and may be the same memory. If authentication
  /// fails, fills `plain` with zeros and returns false.
  package func open(
    _ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer, additionalData: UnsafeRawBufferPointer,
    tag: UnsafeRawBufferPointer
  ) -> Bool {
    checkSizes(sealed.count, plain.count, nonce.count, tag.count)
    var length: Int32 = 0
    var isDone =
      EVP_DecryptInit_ex(opening, nil, nil, nil, Self.bytes(nonce)) == 1
      && (additionalData.isEmpty
        || EVP_DecryptUpdate(
          opening, nil, &length, Self.bytes(additionalData), Int32(additionalData.count)) == 1)
    if !sealed.isEmpty {
      isDone =
        isDone
        && EVP_DecryptUpdate(
          opening, plain.baseAddress?.assumingMemoryBound(to: UInt8.self), &length,
          Self.bytes(sealed), Int32(sealed.count)) == 1
    }
    // libcrypto copies the tag, although its parameter is mutable.
    var rest: UInt64 = 0
    let isAsItWas =
      isDone
      && EVP_CIPHER_CTX_ctrl(
        opening, EVP_CTRL_GCM_SET_TAG, Int32(AES256GCM.tagByteCount),
        UnsafeMutableRawPointer(mutating: tag.baseAddress)) == 1
      && withUnsafeMutableBytes(of: &rest) {
        EVP_DecryptFinal_ex(
          opening, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), &length) == 1
      }
    if !isAsItWas, !plain.isEmpty { plain.initializeMemory(as: UInt8.self, repeating: 0) }
    return isAsItWas
  }

  private static func bytes(_ buffer: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
    buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }

  private func checkSizes(_ source: Int, _ target: Int, _ nonce: Int, _ tag: Int) {
    precondition(source == target, "ciphertext must be as long as its plain text")
    precondition(nonce == AES256GCM.nonceByteCount, "an AES-GCM nonce must have 12 bytes")
    precondition(tag == AES256GCM.tagByteCount, "an AES-GCM tag must have 16 bytes")
  }
}

/// Returns random bytes from libcrypto's secure generator, which the operating system seeds.
package func randomBytes(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system provides no random bytes")
  return bytes
}
