import Output
import Testing

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("allapps", "allApps"), ("allApp", "allApps"), ("al1Aps", "allApps"), (" none", "none"),
      ("nome", "none"), ("md", "mdm"), ("managed", nil), ("", nil), ("x", nil), ("mdn", "mdm"),
      ("zzz", nil),
    ] as [(String, String?)])
  func `similar words are suggested`(word: String, meant: String?) {
    #expect(Suggestion.word(for: word, among: ["allApps", "managedApps", "none", "mdm"]) == meant)
  }

  @Test(arguments: [
    ("aps", "apps"), ("APPS", "apps"), ("acounts", "accounts"), ("acconuts", "accounts"),
    ("polices", "policies"),
  ])
  func `missing, replaced and swapped letters are recognised`(word: String, meant: String) {
    #expect(
      Suggestion.word(for: word, among: ["accounts", "apps", "policies"], within: 1) == meant)
  }

  @Test(arguments: [(1, nil), (2, nil), (3, "sitting")] as [(Int, String?)])
  func `the limit is an edit distance`(limit: Int, meant: String?) {
    #expect(Suggestion.word(for: "kitten", among: ["sitting"], within: limit) == meant)
  }

  @Test func `ties do not depend on the order of candidates`() {
    #expect(Suggestion.word(for: "bat", among: ["cat", "bar"]) == "bar")
    #expect(Suggestion.word(for: "bat", among: ["bar", "cat"]) == "bar")
  }

  @Test func `the most similar word is suggested, wherever it is`() {
    #expect(Suggestion.word(for: "account", among: ["acct", "accounts", "amounts"]) == "accounts")
  }
}
