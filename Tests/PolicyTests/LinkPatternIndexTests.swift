import Policy
import TestSupport
import Testing

/// Looking patterns up finds what looking at each finds.
struct LinkPatternIndexTests {
  @Test(arguments: [UInt64](1...4))
  func `the index finds the patterns that describe a link`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func word(_ letters: String, _ count: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: count, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        })
    }
    let patterns = (0..<200).map { _ in
      LinkPattern("https://\(word("ab.*", 0...6))\(word("/", 0...1))\(word("a*", 0...3))")
    }
    let index = LinkPatternIndex(patterns)
    var found = 0
    for _ in 0..<400 {
      guard let link = WebLink("https://\(word("ab.", 1...5))/\(word("ab", 0...2))") else {
        continue
      }
      let places = patterns.indices.filter { patterns[$0].matches(link) }
      #expect(index.places(for: link).sorted() == places, "\(link.text)")
      found += places.count
    }
    #expect(found > 1000)
  }
}
