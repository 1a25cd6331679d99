import Output
import Testing

struct DiagnosticTests {
  @Test func `control characters in a diagnostic are escaped`() {
    let diagnostic = Diagnostic(.path("a\u{1B}[2J"), "no `b\n\u{202E}`", rule: "file")
    #expect(diagnostic.description == #"a\u{1b}[2J: error: no `b\u{a}\u{202e}` [file]"#)
    #expect(diagnostic.message == "no `b\n\u{202E}`")
  }
}

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("allapps", "allApps"), ("allApp", "allApps"), ("al1Aps", "allApps"), (" none", "none"),
      ("nome", "none"), ("md", "mdm"), ("managed", nil), ("", nil), ("x", nil), ("mdn", "mdm"),
      ("zzz", nil),
    ] as [(String, String?)])
  func `misspelled words get suggestions, and unrelated words get none`(
    word: String, meant: String?
  ) {
    #expect(Suggestion.word(for: word, among: ["allApps", "managedApps", "none", "mdm"]) == meant)
  }

  @Test(arguments: [
    ("aps", "apps"), ("APPS", "apps"), ("acounts", "accounts"), ("acconuts", "accounts"),
    ("polices", "policies"),
  ])
  func `suggestions recognise missing, replaced and swapped letters`(word: String, meant: String) {
    #expect(
      Suggestion.word(for: word, among: ["accounts", "apps", "policies"], within: 1) == meant)
  }

  @Test(arguments: [(1, nil), (2, nil), (3, "sitting")] as [(Int, String?)])
  func `suggestions are limited by edit distance`(limit: Int, meant: String?) {
    #expect(Suggestion.word(for: "kitten", among: ["sitting"], within: limit) == meant)
  }

  @Test func `ties between suggestions do not depend on the order of candidates`() {
    #expect(Suggestion.word(for: "bat", among: ["cat", "bar"]) == "bar")
    #expect(Suggestion.word(for: "bat", among: ["bar", "cat"]) == "bar")
  }

  @Test func `the most similar word is suggested, regardless of its position`() {
    #expect(Suggestion.word(for: "account", among: ["acct", "accounts", "amounts"]) == "accounts")
  }

  @Test(arguments: [
    ("Sale", "; did you mean `Sales`?"), ("finance", "; did you mean `Finance and HR`?"),
    ("le", "; did you mean one of `Sales`, `All sales staff`?"),
    ("xyz", "; it contains `Sales`, `Finance and HR`, `All sales staff`, `Tall`"),
    ("", "; it contains `Sales`, `Finance and HR`, `All sales staff`, `Tall`"),
  ])
  func `a part of a name suggests all names that contain it`(name: String, hint: String) {
    let names = ["Sales", "Finance and HR", "All sales staff", "Tall"]
    #expect(Suggestion.names(like: name, among: names) == hint)
    #expect(Suggestion.names(like: name, among: [String]()) == "")
  }
}

struct ListFormatTests {
  @Test(arguments: [
    ([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"),
  ])
  func `a list of words has a conjunction before its last word`(words: [String], phrase: String) {
    #expect(ListFormat.any(of: words) == phrase)
    #expect(ListFormat.all(of: words) == phrase.replacing(" or ", with: " and "))
  }

  @Test(arguments: [(1, "a and 2 more"), (2, "a, b and 1 more"), (3, "a, b, c"), (4, "a, b, c")])
  func `a shortened list of words states the number of omitted words`(count: Int, phrase: String) {
    #expect(ListFormat.first(count, of: ["a", "b", "c"]) == phrase)
  }
}
