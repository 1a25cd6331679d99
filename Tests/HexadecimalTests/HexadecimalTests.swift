import Hexadecimal
import Testing

@Suite struct HexadecimalTests {
  @Test func `every byte comes back`() {
    let bytes = (0...255).map { UInt8($0) }
    let text = Hexadecimal.text(bytes)
    #expect(text.hasPrefix("000102"))
    #expect(text.hasSuffix("fdfeff"))
    #expect(Hexadecimal.bytes(text[...]) == bytes)
    #expect(Hexadecimal.bytes(text.uppercased()[...]) == bytes)
    #expect(Hexadecimal.bytes("") == [])
  }

  @Test(arguments: ["0", "0g", "-1", " 0", "00 1", "é0"])
  func `what is none is none`(text: String) {
    #expect(Hexadecimal.bytes(text[...]) == nil)
  }
}
