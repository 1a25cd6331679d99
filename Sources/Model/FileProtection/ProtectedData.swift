internal import Cryptography
package import Model

/// Bytes that carry their owner: encrypted for a managed account, marked for an unmanaged one.
///
/// Encrypted: `SLUICED1`, a ``ProtectionHeader`` without its first eight bytes, nonce, ciphertext, tag; all bytes
/// before the nonce are additional data. Marked: `SLUICEU1`, the owner's names, the bytes as they are.
package enum ProtectedData {
  /// The form of bytes, with the place of the content in them.
  package enum Kind: Sendable {
    /// Bytes that are not protected.
    case plain
    /// Bytes of an unmanaged account, readable, with their range.
    case marked(owner: Account, body: Range<Int>)
    /// Bytes of a managed account, with the range of nonce, ciphertext and tag.
    case encrypted(header: ProtectionHeader, body: Range<Int>)
  }

  private static let encryptedMagic = Array("SLUICED1".utf8)
  private static let markedMagic = Array("SLUICEU1".utf8)

  /// `plain`, which may be empty, encrypted under `key`; `header` must have been made with `key`.
  package static func protect(
    _ plain: [UInt8], header: ProtectionHeader, key: FileKey
  ) -> [UInt8] {
    let front = encryptedMagic + header.bytes[ProtectionHeader.magic.count...]
    let nonce = randomBytes(AES256GCM.nonceByteCount)
    return front + AES256GCM(key: key.bytes).seal(plain, nonce: nonce, additionalData: front)
  }

  /// `plain` with its owner in front. Each of the owner's names may have 65,534 bytes.
  package static func mark(_ plain: [UInt8], owner: Account) -> [UInt8] {
    markedMagic + OwnerBytes.encode(owner) + plain
  }

  /// The kind of protection that `bytes` have, found without a key. Only ``ProtectionHeader/key(unwrappedBy:)`` shows
  /// whether the owner that encrypted bytes state is true; for marked bytes nothing does.
  ///
  /// - Throws: ``FileProtectionError`` with the code `newerVersion`, `cut` or `altered` where the bytes begin as
  ///   protected bytes do and do not go on so.
  package static func kind(of bytes: [UInt8]) throws(FileProtectionError) -> Kind {
    if bytes.starts(with: markedMagic) {
      var reader = ByteReader(bytes, path: "")
      _ = try reader.bytes(markedMagic.count)
      let owner = try OwnerBytes.decode(&reader)
      return .marked(owner: owner, body: reader.position..<bytes.count)
    }
    guard bytes.starts(with: encryptedMagic) else { return .plain }
    let rest = bytes[encryptedMagic.count...].prefix(FileLayout.slotsOffset)
    let header = try ProtectionHeader(ProtectionHeader.magic + rest)
    let overhead = AES256GCM.nonceByteCount + AES256GCM.tagByteCount
    guard bytes.count >= header.bytes.count + overhead else {
      throw FileProtectionError(.cut, path: "")
    }
    return .encrypted(header: header, body: header.bytes.count..<bytes.count)
  }

  /// The bytes that were protected; unprotected bytes unchanged. `key` is used for encrypted bytes only.
  ///
  /// - Throws: ``FileProtectionError`` as ``kind(of:)`` does, and with the code `altered` where a bit is not as it was
  ///   written or `key` is another key.
  package static func unprotect(
    _ bytes: [UInt8], key: FileKey
  ) throws(FileProtectionError) -> [UInt8] {
    switch try kind(of: bytes) {
    case .plain: return bytes
    case .marked(_, let body): return Array(bytes[body])
    case .encrypted(_, let body):
      let front = Array(bytes[..<body.lowerBound])
      let box = AES256GCM(key: key.bytes)
      guard let plain = box.open(Array(bytes[body]), additionalData: front) else {
        throw FileProtectionError(.altered, path: "")
      }
      return plain
    }
  }
}
