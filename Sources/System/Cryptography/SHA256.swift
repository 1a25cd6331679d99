internal import CCrypto

/// The SHA-256 digest of `bytes` (FIPS 180-4), 32 bytes.
public func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  _ = bytes.withUnsafeBytes { bytes in
    SHA256(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &digest)
  }
  return digest
}
