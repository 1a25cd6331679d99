internal import CCrypto

/// The SHA-256 digest of `bytes` (FIPS 180-4), 32 bytes.
public func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var digest = SHA256Digest()
  bytes.withUnsafeBytes { digest.update($0) }
  return digest.finalize()
}

/// SHA-256 over bytes that come one after the other, as a value.
public struct SHA256Digest: @unchecked Sendable {
  private var context = SHA256_CTX()

  /// Starts with no bytes.
  public init() { SHA256_Init(&context) }

  /// Takes in bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&context, bytes.baseAddress, bytes.count)
  }

  /// The digest of all bytes that were taken in, 32 bytes.
  public consuming func finalize() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256_Final(&digest, &context)
    return digest
  }
}
