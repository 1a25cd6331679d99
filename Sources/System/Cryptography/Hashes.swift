internal import CCrypto

/// Returns the SHA-256 digest of `bytes` (FIPS 180-4), 32 bytes.
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var digest = SHA256Digest()
  bytes.withUnsafeBytes { digest.update($0) }
  return digest.finalize()
}

/// An incremental SHA-256 computation.
package struct SHA256Digest: @unchecked Sendable {
  private var context = SHA256_CTX()

  package init() { SHA256_Init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&context, bytes.baseAddress, bytes.count)
  }

  /// Returns the digest of all added bytes, 32 bytes.
  package consuming func finalize() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256_Final(&digest, &context)
    return digest
  }
}

// MARK: - HMAC

/// An incremental HMAC-SHA256 computation (RFC 2104). A copy continues from the state of the original.
///
/// If many messages have the same key and prefix, compute their state once and copy it for each message.
package struct HMACSHA256: @unchecked Sendable {
  package static let byteCount = 32

  private var inner = SHA256_CTX()
  private var outer = SHA256_CTX()

  /// - Parameter key: a key of any length.
  package init(key: some Collection<UInt8>) {
    var block = [UInt8](repeating: 0, count: 64)
    if key.count <= 64 {
      block.replaceSubrange(..<key.count, with: key)
    } else {
      var digest = SHA256_CTX()
      SHA256_Init(&digest)
      _ = Array(key).withUnsafeBytes { SHA256_Update(&digest, $0.baseAddress, $0.count) }
      SHA256_Final(&block, &digest)
    }
    SHA256_Init(&inner)
    SHA256_Init(&outer)
    for index in block.indices { block[index] ^= 0x36 }
    SHA256_Update(&inner, block, 64)
    for index in block.indices { block[index] ^= 0x36 ^ 0x5C }
    SHA256_Update(&outer, block, 64)
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&inner, bytes.baseAddress, bytes.count)
  }

  /// Adds a number as eight little-endian bytes.
  package mutating func update(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }

  /// Adds the length of `bytes`, then `bytes`. Different sequences of fields therefore result in different codes.
  package mutating func update(field bytes: UnsafeRawBufferPointer) {
    update(UInt64(bytes.count))
    update(bytes)
  }

  /// Adds `count` zero bytes, at most 64.
  package mutating func update(zeros count: Int) {
    precondition(count <= 64, "at most 64 zero bytes can be added")
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { block in
      block.initializeMemory(as: UInt8.self, repeating: 0)
      update(UnsafeRawBufferPointer(rebasing: block[..<count]))
    }
  }

  /// Writes the code of all added data to `code`, which must have ``byteCount`` bytes.
  package consuming func finalize(into code: UnsafeMutableRawBufferPointer) {
    precondition(code.count == Self.byteCount, "an HMAC-SHA256 code must have 32 bytes")
    let out = code.baseAddress?.assumingMemoryBound(to: UInt8.self)
    SHA256_Final(out, &inner)
    SHA256_Update(&outer, out, Self.byteCount)
    SHA256_Final(out, &outer)
  }

  /// Compares two codes of the same length in constant time; false for different lengths.
  package static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer)
    -> Bool
  {
    left.count == right.count
      && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
  }
}

// MARK: - Poly1305

/// Poly1305 (RFC 8439) with one key for all messages, as an almost universal hash function.
///
/// Its results must stay secret, because they can reveal the key. Confined to one thread at a time.
package final class Poly1305Hash {
  package static let keyByteCount = 32
  package static let byteCount = 16

  private let context: OpaquePointer
  private let key: [UInt8]

  /// - Precondition: `key` has 32 bytes.
  package init(key: [UInt8]) {
    precondition(key.count == Self.keyByteCount, "a Poly1305 key must have 32 bytes")
    guard let algorithm = EVP_MAC_fetch(nil, "POLY1305", nil),
      let context = EVP_MAC_CTX_new(algorithm)
    else { preconditionFailure("libcrypto has no Poly1305") }
    EVP_MAC_free(algorithm)
    self.context = context
    self.key = key
  }

  deinit { EVP_MAC_CTX_free(context) }

  package func begin() {
    let isReady = EVP_MAC_init(context, key, key.count, nil) == 1
    precondition(isReady, "libcrypto refuses Poly1305")
  }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let isDone = EVP_MAC_update(context, start, bytes.count) == 1
    precondition(isDone, "libcrypto refuses Poly1305")
  }

  /// Finalizes the hash and calls `body` with the 16-byte result.
  package func end(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { value in
      var count = 0
      let start = value.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let isDone = EVP_MAC_final(context, start, &count, value.count) == 1
      precondition(isDone && count == Self.byteCount, "libcrypto refuses Poly1305")
      body(UnsafeRawBufferPointer(value))
    }
  }
}
