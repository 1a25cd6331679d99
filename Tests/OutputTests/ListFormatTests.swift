import Output
import Testing

struct ListFormatTests {
  @Test(arguments: [
    ([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"),
  ])
  func `a conjunction precedes the last of several words`(words: [String], phrase: String) {
    #expect(ListFormat.any(of: words) == phrase)
    #expect(ListFormat.all(of: words) == phrase.replacing(" or ", with: " and "))
  }

  @Test(arguments: [(1, "a and 2 more"), (2, "a, b and 1 more"), (3, "a, b, c"), (4, "a, b, c")])
  func `omitted words are counted`(count: Int, phrase: String) {
    #expect(ListFormat.first(count, of: ["a", "b", "c"]) == phrase)
  }
}
