import Encodings
import Testing

@Suite struct PrintableTests {
  @Test(arguments: [
    ("plain", "plain", "plain"), ("a\u{1B}[31mb", "a [31mb", #"a\u{1b}[31mb"#),
    ("a\nb", "a b", #"a\u{a}b"#), ("a\u{2028}b", "a b", #"a\u{2028}b"#),
    ("a\u{202E}b", "a b", #"a\u{202e}b"#), ("a\u{2066}b", "a b", #"a\u{2066}b"#),
    ("a\u{200D}b", "a\u{200D}b", "a\u{200D}b"), ("a\u{200C}b", "a\u{200C}b", "a\u{200C}b"),
    ("é👩‍👧", "é👩‍👧", "é👩‍👧"), ("", "", ""),
  ])
  func `control characters are escaped`(text: String, replaced: String, escaped: String) {
    #expect(text.printable(replacing: " ") == replaced)
    #expect(text.escapingUnprintable() == escaped)
  }

  @Test func `printable characters are unchanged`() {
    #expect("a\tb\u{7}".escapingUnprintable(except: ["\t"]) == "a\tb\\u{7}")
  }
}
