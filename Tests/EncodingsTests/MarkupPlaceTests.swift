import Encodings
import Testing

@Suite struct MarkupPlaceTests {
  @Test(arguments: [
    ("plain é 👩‍👧", "plain é 👩‍👧", "plain é 👩‍👧", "plain é 👩‍👧"),
    ("&<>", "&amp;&lt;&gt;", "&amp;&lt;&gt;", "&amp;&lt;&gt;"),
    ("&\u{301}", "&amp;\u{301}", "&amp;\u{301}", "&amp;\u{301}"),
    ("\"'", "\"'", "&quot;'", "&quot;&#39;"),
    ("\t\n", "\t\n", "&#9;&#10;", "\t\n"), ("\r\n", "&#13;\n", "&#13;&#10;", "\u{FFFD}\n"),
  ])
  func `markup is escaped, with white space that a parser would normalise`(
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
  func `other control characters are kept in XML and replaced in HTML`(character: String) {
    #expect(character.escaped(in: .xmlText) == character)
    #expect(character.escaped(in: .xmlAttribute) == character)
    #expect(character.escaped(in: .html) == "\u{FFFD}")
  }
}
