import Cryptography
import Testing

/// A test case of RFC 4231, section 4.
struct HMACVector: Sendable, CustomTestStringConvertible {
  var name: String
  var key: [UInt8]
  var data: [UInt8]
  /// Case 5 specifies only the first half.
  var code: String

  var testDescription: String { name }
}

@Suite struct HMACSHA256Tests {
  static let vectors = [
    HMACVector(
      name: "4.2", key: Array(repeating: 0x0B, count: 20), data: Array("Hi There".utf8),
      code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    HMACVector(
      name: "4.3", key: Array("Jefe".utf8), data: Array("what do ya want for nothing?".utf8),
      code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    HMACVector(
      name: "4.4", key: Array(repeating: 0xAA, count: 20), data: Array(repeating: 0xDD, count: 50),
      code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    HMACVector(
      name: "4.5", key: Array(1...25), data: Array(repeating: 0xCD, count: 50),
      code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    HMACVector(
      name: "4.6", key: Array(repeating: 0x0C, count: 20), data: Array("Test With Truncation".utf8),
      code: "a3b6167473100ee06e0c796c2955552b"),
    HMACVector(
      name: "4.7", key: Array(repeating: 0xAA, count: 131),
      data: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    HMACVector(
      name: "4.8", key: Array(repeating: 0xAA, count: 131),
      data: Array(
        """
        This is a test using a larger than block-size key and a larger than block-size data. \
        The key needs to be hashed before being used by the HMAC algorithm.
        """.utf8),
      code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
  ]

  @Test(arguments: vectors) func `HMAC-SHA256 matches the standard's vectors`(vector: HMACVector) {
    var state = HMACSHA256(key: vector.key)
    vector.data.withUnsafeBytes { state.update($0) }
    let expected = bytes(vector.code)
    #expect(Array(state.code.prefix(expected.count)) == expected)
  }

  @Test(arguments: vectors) func `data hashed in pieces has the same HMAC as the whole`(
    vector: HMACVector
  ) {
    var state = HMACSHA256(key: vector.key[...])
    for byte in vector.data { withUnsafeBytes(of: byte) { state.update($0) } }
    #expect(Array(state.code.prefix(vector.code.count / 2)) == bytes(vector.code))
  }

  // A block of SHA-256 has 64 bytes. The keys have one byte less, the same number, and one byte
  // more. The expected codes are from Python's `hmac`.
  @Test(arguments: [
    (63, "eb43b50841674a4961877bd10c420728128104e4837d556a690ad84d69c9a635"),
    (64, "5a6f7a0b42d6ea1bd154a9ed687b0a621e9bc635c1c5105730aed283feb459a5"),
    (65, "d37edf159bc052722a73143d190d799bedad84bed38ad68679bd225d65d5e1cc"),
  ]) func `HMAC keys of 63, 64 and 65 bytes give the codes of Python's hmac module`(
    length: Int, code: String
  ) {
    var state = HMACSHA256(key: Array(repeating: UInt8(ascii: "a"), count: length))
    Array("block".utf8).withUnsafeBytes { state.update($0) }
    #expect(state.code == bytes(code))
  }

  @Test func `updating a copy of an HMAC state does not change the original state`() {
    var state = HMACSHA256(key: Array("key".utf8))
    state.update(1)
    var copy = state
    copy.update(2)
    let unforked = codeOfNumbers([1])
    #expect(state.code == unforked)
    #expect(copy.code == codeOfNumbers([1, 2]))
    state.update(3)
    #expect(state.code == codeOfNumbers([1, 3]))
    #expect(copy.code == codeOfNumbers([1, 2]))
  }

  private func codeOfNumbers(_ numbers: [UInt64]) -> [UInt8] {
    var state = HMACSHA256(key: Array("key".utf8))
    for number in numbers { state.update(number) }
    return state.code
  }

  @Test func `HMAC hashes a number as eight bytes, little endian`() {
    var number = HMACSHA256(key: [])
    number.update(0x0807_0605_0403_0201)
    var sameBytes = HMACSHA256(key: [])
    ([1, 2, 3, 4, 5, 6, 7, 8] as [UInt8]).withUnsafeBytes { sameBytes.update($0) }
    #expect(number.code == sameBytes.code)
  }

  @Test func `the same bytes divided differently into fields have different HMACs`() {
    let splits = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"], []]
    let codes = splits.map { fields in
      var state = HMACSHA256(key: [])
      for field in fields { Array(field.utf8).withUnsafeBytes { state.update(field: $0) } }
      return state.code
    }
    #expect(Set(codes).count == splits.count)
  }

  @Test func `HMAC codes are equal only if every bit is equal`() {
    let code = codeOfNumbers([7])
    #expect(areEqual(code, code))
    #expect(areEqual([], []))
    #expect(!areEqual(code, Array(code.dropLast())))
    for bit in 0..<(code.count * 8) {
      var other = code
      other[bit / 8] ^= 1 << (bit % 8)
      #expect(!areEqual(code, other))
    }
  }

  private func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBytes { left in
      right.withUnsafeBytes { HMACSHA256.areEqual(left, $0) }
    }
  }
}

extension HMACSHA256 {
  /// The code of the data so far.
  fileprivate var code: [UInt8] {
    var code = [UInt8](repeating: 0, count: Self.byteCount)
    let state = self
    code.withUnsafeMutableBytes { state.finalize(into: $0) }
    return code
  }
}
