import Encodings
import Testing

@Suite struct PercentEncodingTests {
  @Test func `all characters except unreserved ones are percent-encoded`() {
    #expect(PercentEncoding.encoded("aZ09-._~ /%ä".utf8) == "aZ09-._~%20%2F%25%C3%A4")
    #expect(PercentEncoding.encoded("a/b c".utf8, except: [UInt8(ascii: "/")]) == "a/b%20c")
  }

  @Test func `percent-encoded text is decoded`() {
    let bytes = Array(UInt8.min...UInt8.max)
    #expect(PercentEncoding.decoded(Substring(PercentEncoding.encoded(bytes)).utf8) == bytes)
  }
}

@Suite struct PrintableTests {
  @Test(arguments: [
    ("plain", "plain", "plain"), ("a\u{1B}[31mb", "a [31mb", #"a\u{1b}[31mb"#),
    ("a\nb", "a b", #"a\u{a}b"#), ("a\u{2028}b", "a b", #"a\u{2028}b"#),
    ("a\u{202E}b", "a b", #"a\u{202e}b"#), ("a\u{2066}b", "a b", #"a\u{2066}b"#),
    ("a\u{200D}b", "a\u{200D}b", "a\u{200D}b"), ("a\u{200C}b", "a\u{200C}b", "a\u{200C}b"),
    ("é👩‍👧", "é👩‍👧", "é👩‍👧"), ("", "", ""),
    // Commands to CI systems.
    ("a ##vso[task.x]b", "a ##vso task.x]b", #"a ##vso\u{5b}task.x]b"#),
    ("##VSO[x]", "##VSO x]", #"##VSO\u{5b}x]"#), ("##[error]x", "## error]x", #"##\u{5b}error]x"#),
    ("# [a] ## vso[b]", "# [a] ## vso[b]", "# [a] ## vso[b]"),
  ])
  func `control characters are escaped`(text: String, replaced: String, escaped: String) {
    #expect(text.printable(replacing: " ") == replaced)
    #expect(text.escapingUnprintable() == escaped)
  }

  @Test func `control characters that the caller excepts are not escaped`() {
    #expect("a\tb\u{7}".escapingUnprintable(except: ["\t"]) == "a\tb\\u{7}")
  }
}

@Suite struct MarkupPlaceTests {
  @Test(arguments: [
    ("plain é 👩‍👧", "plain é 👩‍👧", "plain é 👩‍👧", "plain é 👩‍👧"),
    ("&<>", "&amp;&lt;&gt;", "&amp;&lt;&gt;", "&amp;&lt;&gt;"),
    ("&\u{301}", "&amp;\u{301}", "&amp;\u{301}", "&amp;\u{301}"),
    ("\"'", "\"'", "&quot;'", "&quot;&#39;"),
    ("\t\n", "\t\n", "&#9;&#10;", "\t\n"), ("\r\n", "&#13;\n", "&#13;&#10;", "\u{FFFD}\n"),
  ])
  func `XML and HTML text is escaped, including white space that parsers normalise`(
    text: String, xmlText: String, xmlAttribute: String, html: String
  ) {
    #expect(text.escaped(in: .xmlText) == xmlText)
    #expect(text.escaped(in: .xmlAttribute) == xmlAttribute)
    #expect(text.escaped(in: .html) == html)
  }

  @Test(arguments: ["\u{0}", "\u{8}", "\u{B}", "\u{1B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"])
  func `characters that XML 1.0 excludes are replaced`(character: String) {
    for place in [MarkupPlace.xmlText, .xmlAttribute, .html] {
      #expect("a\(character)b".escaped(in: place) == "a\u{FFFD}b")
    }
  }

  @Test(arguments: ["\u{7F}", "\u{85}", "\u{9F}"])
  func `U+007F to U+009F are kept in XML and replaced in HTML`(
    character: String
  ) {
    #expect(character.escaped(in: .xmlText) == character)
    #expect(character.escaped(in: .xmlAttribute) == character)
    #expect(character.escaped(in: .html) == "\u{FFFD}")
  }
}

@Suite struct GraphLabelTests {
  @Test(arguments: [
    ("a\"b\\c&d\n", #""a\"b\\c&amp;d\n""#),
    ("a\u{1B}\u{85}\u{9B}\u{2028}b", "\"a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b\""),
    ("é", "\"é\""),
  ])
  func `quoted Graphviz labels contain no control characters`(text: String, quoted: String) {
    #expect(text.quotedForGraphviz == quoted)
  }
}
