import Testing

@testable import Scenario

@Suite struct SpellingTests {
  @Test(arguments: [
    ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1), ("abc", "ab", 1), ("", "abc", 3),
    ("kitten", "sitting", 3), ("ca", "abc", 3),
  ]) func distanceCountsEdits(left: String, right: String, distance: Int) {
    #expect(Spelling.distance(Array(left), Array(right)) == distance)
    #expect(Spelling.distance(Array(right), Array(left)) == distance)
  }

  @Test(arguments: [
    ("aps", "apps"), ("APPS", "apps"), ("acounts", "accounts"), ("polices", "policies"),
  ]) func nearWordsAreSuggested(word: String, meant: String) {
    #expect(Spelling.nearest(to: word, among: ["accounts", "apps", "policies"]) == meant)
  }

  @Test(arguments: ["xyz", "", "application"]) func farWordsAreNot(word: String) {
    #expect(Spelling.nearest(to: word, among: ["accounts", "apps", "policies"]) == nil)
  }
}
