import Output
import Testing

struct PhraseTests {
  @Test(arguments: [
    ([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"),
  ])
  func `a conjunction stands before the last of several words`(words: [String], phrase: String) {
    #expect(Phrase.any(of: words) == phrase)
    #expect(Phrase.all(of: words) == phrase.replacing(" or ", with: " and "))
  }

  @Test(arguments: [(1, "a and 2 more"), (2, "a, b and 1 more"), (3, "a, b, c"), (4, "a, b, c")])
  func `the words that are left out are counted`(count: Int, phrase: String) {
    #expect(Phrase.first(count, of: ["a", "b", "c"]) == phrase)
  }
}
