internal import CCrypto

/// Poly1305 (RFC 8439) under one key for all messages, as an almost universal hash function.
///
/// Its values must stay secret: whoever sees some can find the key. For one thread at a time.
public final class Poly1305Hash {
  /// Length of a key in bytes.
  public static let keyByteCount = 32
  /// Length of a value in bytes.
  public static let byteCount = 16

  private let context: OpaquePointer
  private let key: [UInt8]

  /// A function with `key`, which must have 32 bytes.
  public init(key: [UInt8]) {
    precondition(key.count == Self.keyByteCount, "a Poly1305 key has 32 bytes")
    guard let algorithm = EVP_MAC_fetch(nil, "POLY1305", nil),
      let context = EVP_MAC_CTX_new(algorithm)
    else { preconditionFailure("libcrypto has no Poly1305") }
    EVP_MAC_free(algorithm)
    self.context = context
    self.key = key
  }

  deinit { EVP_MAC_CTX_free(context) }

  /// Begins a message.
  public func begin() {
    let isReady = EVP_MAC_init(context, key, key.count, nil) == 1
    precondition(isReady, "libcrypto refuses Poly1305")
  }

  /// Takes in the next bytes of the message.
  public func update(_ bytes: UnsafeRawBufferPointer) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let isDone = EVP_MAC_update(context, start, bytes.count) == 1
    precondition(isDone, "libcrypto refuses Poly1305")
  }

  /// Ends the message, and calls `body` with its value of 16 bytes.
  public func end(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { value in
      var count = 0
      let start = value.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let isDone = EVP_MAC_final(context, start, &count, value.count) == 1
      precondition(isDone && count == Self.byteCount, "libcrypto refuses Poly1305")
      body(UnsafeRawBufferPointer(value))
    }
  }
}
