import Testing

@testable import Policy

struct SuggestionTests {
  @Test(
    arguments: [
      ("allapps", "allApps"), ("allApp", "allApps"), ("al1Aps", "allApps"), (" none", "none"),
      ("nome", "none"), ("managed", nil), ("", nil), ("x", nil), ("mdn", "mdm"), ("zzz", nil),
    ] as [(String, String?)])
  func `what is nearly right is recognised`(word: String, meant: String?) {
    #expect(
      Suggestion.nearest(to: word, among: ["allApps", "managedApps", "none", "mdm"]) == meant)
  }
}
