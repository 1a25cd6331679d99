internal import CCrypto

/// HMAC-SHA256 (RFC 2104) as a value: a copy continues from the data that the original has taken in.
///
/// A key, or a key and a constant beginning, is therefore hashed once and then copied for each message.
public struct HMACSHA256: @unchecked Sendable {
  /// Length of a code in bytes.
  public static let byteCount = 32

  private var inner = SHA256_CTX()
  private var outer = SHA256_CTX()

  /// Starts with a key of any length.
  public init(key: some Collection<UInt8>) {
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

  /// Takes in bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&inner, bytes.baseAddress, bytes.count)
  }

  /// Takes in a number as eight little-endian bytes.
  public mutating func update(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }

  /// Takes in a field so that no two sequences of fields can be confused: its length, then its bytes.
  public mutating func update(field bytes: UnsafeRawBufferPointer) {
    update(UInt64(bytes.count))
    update(bytes)
  }

  /// Takes in `count` zero bytes, at most 64.
  public mutating func update(zeros count: Int) {
    precondition(count <= 64, "padding is less than a block")
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { block in
      block.initializeMemory(as: UInt8.self, repeating: 0)
      update(UnsafeRawBufferPointer(rebasing: block[..<count]))
    }
  }

  /// Writes the code of all data that was taken in to `code`, which must hold ``byteCount`` bytes.
  public consuming func finalize(into code: UnsafeMutableRawBufferPointer) {
    precondition(code.count == Self.byteCount, "an HMAC-SHA256 code has 32 bytes")
    let out = code.baseAddress?.assumingMemoryBound(to: UInt8.self)
    SHA256_Final(out, &inner)
    SHA256_Update(&outer, out, Self.byteCount)
    SHA256_Final(out, &outer)
  }

  /// Whether two codes agree, in a time that does not depend on where they differ.
  public static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer)
    -> Bool
  {
    left.count == right.count
      && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
  }
}
