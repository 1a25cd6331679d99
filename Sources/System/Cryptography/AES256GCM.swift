/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D).
public struct AES256GCM: Sendable {
  public static let keyByteCount = 32
  public static let nonceByteCount = 12
  public static let tagByteCount = 16

  private let key: [UInt8]

  /// A cipher with `key`, which must have 32 bytes.
  public init(key: [UInt8]) {
    precondition(key.count == Self.keyByteCount, "an AES-256 key has 32 bytes")
    self.key = key
  }

  /// Encrypts `plain`; returns nonce, ciphertext and tag in one piece. A nonce must never be used twice with one
  /// key; it has 12 bytes. `additionalData` is not in the piece, and must be the same to open it.
  public func seal(
    _ plain: [UInt8], nonce: [UInt8], additionalData: [UInt8] = []
  ) -> [UInt8] {
    precondition(nonce.count == Self.nonceByteCount, "an AES-GCM nonce has 12 bytes")
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

  /// Decrypts the result of ``seal(_:nonce:additionalData:)``; nil where a single bit is not as it was.
  public func open(_ sealed: [UInt8], additionalData: [UInt8] = []) -> [UInt8]? {
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
