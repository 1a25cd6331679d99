import Cryptography
import Testing

@Suite struct AES256GCMContextTests {
  /// Test case 16 of the specification. It has additional data, and a partial block at the end.
  private let vector = GCMVector(
    name: "16", key: String(repeating: "feffe9928665731c6d6a8f9467308308", count: 2),
    nonce: "cafebabefacedbaddecaf888",
    plain: """
      d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
      1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
      """,
    cipher: """
      522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
      8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
      """,
    tag: "76fc6ece0f4e1768cddf8853bb2d551b")
  private let additional = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")

  @Test func `AES-GCM with additional data matches the standard's vectors`() {
    let box = AES256GCM(key: bytes(vector.key))
    let nonce = bytes(vector.nonce)
    let sealed = bytes(vector.nonce + vector.cipher + vector.tag)
    #expect(box.seal(bytes(vector.plain), nonce: nonce, additionalData: additional) == sealed)
    #expect(box.open(sealed, additionalData: additional) == bytes(vector.plain))
    #expect(box.open(sealed) == nil)
    #expect(box.open(sealed, additionalData: additional + [0]) == nil)
  }

  @Test func `an AES-GCM context encrypts and decrypts in place repeatedly`() {
    let context = AES256GCMContext(key: bytes(vector.key))
    let box = AES256GCM(key: bytes(vector.key))
    for count in [0, 1, 16, 100, 4096, 100, 0] {
      let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let nonce = (0..<12).map { UInt8($0 + count & 0x7F) }
      var text = plain
      var tag = [UInt8](repeating: 0, count: 16)
      seal(&text, nonce, &tag, context)
      #expect(nonce + text + tag == box.seal(plain, nonce: nonce, additionalData: additional))
      #expect(open(&text, nonce, tag, context))
      #expect(text == plain)
    }
  }

  @Test func `decrypting a rejected ciphertext fills the buffer with zeros`() {
    let context = AES256GCMContext(key: bytes(vector.key))
    let nonce = bytes(vector.nonce)
    var sealed = [UInt8](repeating: 7, count: 50)
    var tag = [UInt8](repeating: 0, count: 16)
    seal(&sealed, nonce, &tag, context)
    for index in 0..<50 {
      var text = sealed
      text[index] ^= 0x10
      #expect(!open(&text, nonce, tag, context))
      #expect(text == [UInt8](repeating: 0, count: 50))
    }
    for index in 0..<16 {
      var text = sealed
      var other = tag
      other[index] ^= 1
      #expect(!open(&text, nonce, other, context))
    }
    // A failure does not affect the next call.
    #expect(open(&sealed, nonce, tag, context))
    #expect(sealed == [UInt8](repeating: 7, count: 50))
  }

  private func seal(
    _ text: inout [UInt8], _ nonce: [UInt8], _ tag: inout [UInt8], _ context: AES256GCMContext
  ) {
    text.withUnsafeMutableBytes { text in
      tag.withUnsafeMutableBytes { tag in
        nonce.withUnsafeBytes { nonce in
          additional.withUnsafeBytes {
            context.seal(
              UnsafeRawBufferPointer(text), into: text, nonce: nonce, additionalData: $0, tag: tag)
          }
        }
      }
    }
  }

  private func open(
    _ text: inout [UInt8], _ nonce: [UInt8], _ tag: [UInt8], _ context: AES256GCMContext
  ) -> Bool {
    text.withUnsafeMutableBytes { text in
      tag.withUnsafeBytes { tag in
        nonce.withUnsafeBytes { nonce in
          additional.withUnsafeBytes {
            context.open(
              UnsafeRawBufferPointer(text), into: text, nonce: nonce, additionalData: $0, tag: tag)
          }
        }
      }
    }
  }
}
