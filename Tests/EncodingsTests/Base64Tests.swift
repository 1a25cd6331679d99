import Encodings
import Foundation
import Testing

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
  func `invalid base64 has no bytes`(text: String) {
    #expect(Base64.bytes(text) == nil)
  }

  @Test func `spaces in base64 are ignored where allowed`() {
    #expect(Base64.bytes("QUJD\r\n RE VG", spaces: .ignored) == Array("ABCDEF".utf8))
    #expect(Base64.bytes("QUJD\n") == nil)
    #expect(Base64.bytes("", spaces: .ignored) == [])
  }
}
