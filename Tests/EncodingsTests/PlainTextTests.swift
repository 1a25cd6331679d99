import Encodings
import Testing

@Suite struct PlainTextTests {
  @Test(arguments: [
    ("https", true), ("ms-outlook", true), ("a+b.c-9", true), ("Z", true), ("", false),
    ("9a", false), ("-a", false), ("a b", false), ("a:", false), ("a_b", false), ("é", false),
    ("ａ", false), ("a\u{301}", false), ("a٣", false), ("a\r\n", false),
  ])
  func `a URL scheme begins with an ASCII letter`(text: String, isScheme: Bool) {
    #expect(text.isURLScheme == isScheme)
    #expect(text[...].isURLScheme == isScheme)
  }

  @Test(arguments: [
    ("0f8fad5b-d9cb-469f-a165-70867728950e", true),
    ("0F8FAD5B-D9CB-469F-A165-70867728950E", true),
    ("0f8fad5bd9cb469fa16570867728950e", false), ("", false), ("----", false),
    ("0f8fad5b-d9cb-469f-a165-70867728950", false),
    ("0f8fad5b-d9cb-469f-a165-70867728950g", false),
    ("{0f8fad5b-d9cb-469f-a165-70867728950e}", false),
    // Full-width digits are hexadecimal digits of Unicode, but not of a GUID.
    ("０f8fad5b-d9cb-469f-a165-70867728950e", false),
  ])
  func `GUIDs have five groups of hexadecimal digits`(text: String, isGUID: Bool) {
    #expect(text.isGUID == isGUID)
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), (" a b ", "a b"), ("\t\r\n a\u{A0}", "a"), ("  \n", ""),
  ])
  func `trimming removes white space at both ends of a text`(text: String, trimmed: String) {
    #expect(text.trimmed == trimmed)
  }

  @Test(arguments: [
    ("every flow", "Every flow"), ("iManage", "iManage"), ("iOS", "iOS"), ("1 flow", "1 flow"),
    ("Box", "Box"), ("x", "X"), ("", ""), ("ß", "SS"),
  ])
  func `the first letter is capitalised, except in names such as iOS`(
    text: String, start: String
  ) {
    #expect(text.capitalizedStart == start)
  }

  @Test(arguments: [(0, "0 cases"), (1, "1 case"), (2, "2 cases")])
  func `a counted noun is singular only after 1`(number: Int, text: String) {
    #expect(number.counting("case") == text)
  }
}
