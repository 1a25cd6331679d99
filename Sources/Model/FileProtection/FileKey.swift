internal import Cryptography

/// The key of one protected file, or of one piece of protected data.
package struct FileKey: Sendable {
  /// The key's 32 bytes.
  package let bytes: [UInt8]

  /// A key of `bytes`, which must be 32.
  package init(_ bytes: [UInt8]) {
    precondition(bytes.count == AES256GCM.keyByteCount, "a file's key has 32 bytes")
    self.bytes = bytes
  }

  /// A new random key.
  package static func random() -> FileKey { FileKey(randomBytes(AES256GCM.keyByteCount)) }
}
