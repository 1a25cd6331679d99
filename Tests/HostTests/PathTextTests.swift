import Testing

@testable import Host

@Suite struct PathTextTests {
  @Test(
    arguments: [
      (Array("a/é/👩‍👧".utf8), "a/é/👩‍👧"), ([0x61, 0xFF, 0x62], #"a\xffb"#), ([0x1B, 0x5B], #"\x1b["#),
      (Array("a\u{202E}b".utf8), #"a\xe2\x80\xaeb"#), (Array("\u{9B}1m".utf8), #"\xc2\x9b1m"#),
      ([0xE2, 0x80], #"\xe2\x80"#), ([], ""),
    ] as [([UInt8], String)])
  func `a path moves no terminal's cursor`(path: [UInt8], shown: String) {
    #expect(PathText.shown(path) == shown)
  }
}
