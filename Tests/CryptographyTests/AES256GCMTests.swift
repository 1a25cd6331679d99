import Cryptography
import Testing

/// A test case for 256-bit keys without additional data. It is from the specification that NIST SP
/// 800-38D is based on (McGrew and Viega, The Galois/Counter Mode of Operation, appendix B).
struct GCMVector: Sendable, CustomTestStringConvertible {
  var name: String
  var key: String
  var nonce: String
  var plain: String
  var cipher: String
  var tag: String

  var testDescription: String { name }
}

@Suite struct AES256GCMTests {
  static let vectors = [
    GCMVector(
      name: "13", key: String(repeating: "00", count: 32),
      nonce: String(repeating: "00", count: 12),
      plain: "", cipher: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
    GCMVector(
      name: "14", key: String(repeating: "00", count: 32),
      nonce: String(repeating: "00", count: 12),
      plain: String(repeating: "00", count: 16), cipher: "cea7403d4d606b6e074ec5d3baf39d18",
      tag: "d0d1c8a799996bf0265b98b5d48ab919"),
    GCMVector(
      name: "15", key: String(repeating: "feffe9928665731c6d6a8f9467308308", count: 2),
      nonce: "cafebabefacedbaddecaf888",
      plain: """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
        """,
      cipher: """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
        """,
      tag: "b094dac5d93471bdec1a502270e3cc6c"),
  ]

  private let box = AES256GCM(key: Array(0..<32))
  private let nonce: [UInt8] = Array(100..<112)

  @Test(arguments: vectors) func `AES-GCM matches the standard's vectors`(vector: GCMVector) {
    let box = AES256GCM(key: bytes(vector.key))
    let sealed = bytes(vector.nonce + vector.cipher + vector.tag)
    #expect(box.seal(bytes(vector.plain), nonce: bytes(vector.nonce)) == sealed)
    #expect(box.open(sealed) == bytes(vector.plain))
  }

  @Test(arguments: [0, 1, 15, 16, 17, 255, 65_537])
  func `AES-GCM decrypts sealed data to the original data`(count: Int) {
    let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let sealed = box.seal(plain, nonce: nonce)
    #expect(sealed.count == AES256GCM.nonceByteCount + count + AES256GCM.tagByteCount)
    #expect(box.open(sealed) == plain)
  }

  @Test(arguments: ["", "note"]) func `AES-GCM rejects a flipped bit`(plain: String) {
    let sealed = box.seal(Array(plain.utf8), nonce: nonce)
    for bit in 0..<(sealed.count * 8) {
      var changed = sealed
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(box.open(changed) == nil, "bit \(bit)")
    }
  }

  @Test func `AES-GCM rejects sealed data with missing or additional bytes`() {
    let sealed = box.seal(Array("note".utf8), nonce: nonce)
    for count in 0..<sealed.count { #expect(box.open(Array(sealed.prefix(count))) == nil) }
    for count in 0..<sealed.count { #expect(box.open(Array(sealed.suffix(count))) == nil) }
    #expect(box.open(sealed + [0]) == nil)
  }

  @Test func `AES-GCM decryption with another key is rejected`() {
    let other = AES256GCM(key: Array(1..<33))
    #expect(other.open(box.seal(Array("note".utf8), nonce: nonce)) == nil)
  }
}
