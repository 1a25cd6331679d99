import Output
import Testing

@Suite struct VocabularyTests {
  @Test func `similar words are suggested, ignoring case`() {
    let words = Vocabulary(["allApps", "managedApps", "none", "Übung"])
    var steps = 0
    #expect(words.nearest(to: "allaps", &steps) == "allApps")
    #expect(words.nearest(to: "UBUNG", &steps) == "Übung")
    #expect(words.nearest(to: "maganedApps", &steps) == "managedApps")
    #expect(words.nearest(to: "anything", &steps) == nil)
  }

  /// The words differ only in their three middle letters. One differing letter is within the limit; three are not.
  @Test func `spelling suggestions within the edit-distance limit agree with a naive search`() {
    let letters = ["a", "b", "c"]
    let words = letters.flatMap { one in
      letters.flatMap { two in letters.map { "x\(one)\(two)\($0)yz" } }
    }
    for word in words {
      let swapped = "x" + String(Array(word)[2]) + String(Array(word)[1]) + word.dropFirst(3)
      #expect(Suggestion.word(for: swapped, among: [word], within: 1) == word)
      #expect(Suggestion.word(for: String(word.dropFirst()), among: [word], within: 1) == word)
      #expect(Suggestion.word(for: word + "q", among: [word], within: 1) == word)
      #expect(Suggestion.word(for: word + "qq", among: [word], within: 1) == nil)
      for other in words {
        let distance = zip(word, other).count { $0 != $1 }
        if distance == 3 { #expect(Suggestion.word(for: other, among: [word], within: 1) == nil) }
        if distance == 1 { #expect(Suggestion.word(for: other, among: [word], within: 1) == word) }
      }
    }
  }

  @Test
  func `the steps for spelling suggestions grow linearly with queries and word length`() {
    let known = Vocabulary((0..<100).map { "allowedData\($0)Ingestion" })
    let work = { (count: Int) in
      var steps = 0
      for number in 0..<count { _ = known.nearest(to: "allowedData\(number)Storage", &steps) }
      return steps
    }
    #expect(work(4_000) <= 5 * work(1_000))
    let long = { (count: Int) in
      var steps = 0
      let word = String(repeating: "a", count: count)
      _ = Vocabulary([word + "b"]).nearest(to: word + "c", &steps)
      return steps
    }
    #expect(long(4_000) <= 5 * long(1_000))
  }

  @Test func `a vocabulary at its step limit makes no more suggestions`() {
    var steps = Vocabulary.maximumSteps
    #expect(Vocabulary(["none"]).nearest(to: "nome", &steps) == nil)
  }
}
