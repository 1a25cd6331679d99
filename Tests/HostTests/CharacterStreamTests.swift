import Testing

@testable import Host

@Suite struct CharacterStreamTests {
  @Test(arguments: ["plain", "Grüße", "日本語", "a😀b", "", "e\u{301}"])
  func aTextCutAnywhereIsTheSameText(text: String) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var stream = CharacterStream()
      let first = stream.append(bytes[..<cut])
      #expect(first + stream.append(bytes[cut...]) + stream.end() == text)
      #expect(!first.contains("\u{FFFD}"))
    }
  }

  @Test(
    arguments: [
      ([0xFF, 0x41], "\u{FFFD}A"), ([0x80, 0x80, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0x41, 0xE2, 0x41], "A\u{FFFD}A"),
    ] as [([UInt8], String)])
  func whatIsNoTextIsShownAsSuch(bytes: [UInt8], text: String) {
    var stream = CharacterStream()
    #expect(stream.append(bytes) + stream.end() == text)
  }

  @Test func aCharacterThatNeverEndsIsShownAtTheEnd() {
    var stream = CharacterStream()
    #expect(stream.append([0x41, 0xE2, 0x82]) == "A")
    #expect(stream.end() == "\u{FFFD}")
    #expect(stream.end() == "")
  }
}
