import Testing

@testable import Scenario

@Suite struct OneLineTests {
  @Test(arguments: [
    ("plain", "plain"), ("a\u{1B}[31mb", "a [31mb"), ("a\nb", "a b"), ("a\u{2028}b", "a b"),
    ("a\u{202E}b", "a b"), ("a\u{2066}b", "a b"), ("a\u{200D}b", "a\u{200D}b"),
  ])
  func `a report obeys nothing that a guest wrote`(text: String, shown: String) {
    #expect(oneLine(text) == shown)
  }
}
