import Activation
import TestSupport
import Testing
import UniformTypes

struct FuzzTests {
  static let seeds = [
    PredicateParsingTests.attachment(
      #"ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.url""#),
    PredicateParsingTests.attachment(
      "NONE $a.registeredTypeIdentifiers MATCHES[cd] 'public\\\\.(a|b)*[^c-e]{2,3}?' && 'x' IN {'a', \"b\"}"
    ),
    "NOT (extensionItems.@count =< -1 || !TRUEPREDICATE) // “é”",
  ]

  /// Parses `text`. If it is valid, its printed form must parse to an equal rule.
  static func read(_ text: String) throws {
    guard let predicate = try? Predicate(parsing: text) else { return }
    #expect(try Predicate(parsing: predicate.description) == predicate, "\(text)")
    _ = ActivationRule.predicate(predicate).matches([Fixtures.image], types: .system)
  }

  @Test func `arbitrary bytes are parsed or rejected without a crash`() throws {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<1_000 * thoroughness {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      try Self.read(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test func `mutated rules are parsed or rejected with a position within the text`() throws {
    var generator = SeededGenerator(seed: 7)
    let pieces =
      Self.seeds.flatMap { $0.split(separator: " ").map(String.init) } + [
        "\u{301}", "\r\n", "“", "(", ")", "[cd]", "\"", "'", "\\", ".@count", "$a", "{", "}", "ANY",
        "99",
      ]
    var accepted = 0
    for _ in 0..<1_000 * thoroughness {
      var text = Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &generator)]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let characters = Array(text)
        let low = Int.random(in: 0...characters.count, using: &generator)
        let high = min(characters.count, low + Int.random(in: 0...8, using: &generator))
        let piece =
          generator.once(in: 2) ? pieces[Int.random(in: 0..<pieces.count, using: &generator)] : ""
        text = String(characters[..<low]) + piece + String(characters[high...])
      }
      do {
        _ = try Predicate(parsing: text)
        accepted += 1
      } catch {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        #expect((1...lines.count).contains(error.line), "\(text)")
        #expect((1...lines[error.line - 1].count + 1).contains(error.column), "\(text)")
        #expect(!error.found.isEmpty && !error.expected.isEmpty)
      }
      try Self.read(text)
    }
    #expect(accepted > 30)
  }
}
