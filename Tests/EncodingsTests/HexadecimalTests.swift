import Encodings
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
  func `incomplete escapes are kept as text`(text: String) {
    #expect(PercentEncoding.decoded(text[...].utf8) == nil)
  }

  @Test(arguments: ["0", "0g", "-1", " 0", "00 1", "é0"])
  func `invalid hexadecimal is rejected`(text: String) {
    #expect(Hexadecimal.bytes(text[...]) == nil)
  }
}
