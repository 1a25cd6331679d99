import Encodings
import Foundation
import Testing

@Suite struct HexadecimalTests {
  @Test func `hexadecimal bytes round-trip`() {
    let bytes = (0...255).map { UInt8($0) }
    let text = Hexadecimal.text(bytes)
    #expect(text.hasPrefix("000102"))
    #expect(text.hasSuffix("fdfeff"))
    #expect(Hexadecimal.bytes(text[...]) == bytes)
    #expect(Hexadecimal.bytes(text.uppercased()[...]) == bytes)
    #expect(Hexadecimal.bytes("") == [])
  }

  @Test func `percent escapes are decoded`() {
    #expect(PercentEncoding.decoded("a%2Fb%2fc%%"[...].utf8) == nil)
    #expect(PercentEncoding.decoded("a%2Fb%2fc+d"[...].utf8) == Array("a/b/c+d".utf8))
    #expect(PercentEncoding.decoded("%00%ff"[...].utf8) == [0, 255])
    #expect(PercentEncoding.decoded(""[...].utf8) == [])
  }

  @Test(arguments: ["%", "%4", "%+f", "%-1", "% 1", "%4g", "%g4", "%é", "a%4é"])
  func `incomplete percent escapes are rejected`(text: String) {
    #expect(PercentEncoding.decoded(text[...].utf8) == nil)
  }

  @Test(arguments: ["0", "0g", "-1", " 0", "00 1", "é0"])
  func `invalid hexadecimal is rejected`(text: String) {
    #expect(Hexadecimal.bytes(text[...]) == nil)
  }
}

@Suite struct Base64Tests {
  @Test func `base64 encoding agrees with Foundation`() {
    var generator = SystemRandomNumberGenerator()
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let text = Base64.text(bytes)
      #expect(text == Data(bytes).base64EncodedString())
      #expect(Base64.bytes(text) == bytes)
      let forURL = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      #expect(Base64.textForURL(bytes) == forURL)
    }
  }

  @Test(arguments: ["A", "AA", "AAA", "AA=A", "A===", "AAAA=", "A-_A", "AA A", "ÄÄ==", "===="])
  func `invalid base64 is not decoded`(text: String) {
    #expect(Base64.bytes(text) == nil)
  }

  @Test func `base64 with white space is decoded only if white space is ignored`() {
    #expect(Base64.bytes("QUJD\r\n RE VG", spaces: .ignored) == Array("ABCDEF".utf8))
    #expect(Base64.bytes("QUJD\n") == nil)
    #expect(Base64.bytes("", spaces: .ignored) == [])
  }
}
