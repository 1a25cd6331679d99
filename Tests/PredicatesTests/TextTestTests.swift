import Foundation
import Predicates
import TestSupport
import Testing

/// Compares operators on two strings with Foundation's own functions.
struct TextTestTests {
  static func holds(
    _ left: String, _ comparator: PredicateOperator, _ right: String, _ options: TextOptions = []
  ) -> Bool {
    var budget = WorkBudget()
    return TextTest.holds(left, comparator, right, options, &budget)
  }

  @Test(arguments: [PredicateOperator.beginsWith, .endsWith, .contains, .like])
  func `BEGINSWITH, ENDSWITH, CONTAINS and LIKE never match an empty string`(
    comparator: PredicateOperator
  ) {
    #expect(!Self.holds("abc", comparator, ""))
    #expect(!Self.holds("", comparator, ""))
    #expect(("abc" as NSString).range(of: "").location == NSNotFound)
  }

  @Test func `IN never finds the empty string`() {
    #expect(!Self.holds("", .isIn, "abc"))
    #expect(Self.holds("b", .isIn, "abc"))
  }

  @Test(
    arguments: [
      ("a*c", "a\\*c", true), ("abc", "a\\*c", false), ("a?c", "a\\?c", true),
      ("a\\c", "a\\\\c", true), ("a\\", "a\\", true), ("abc", "a?c", true), ("ac", "a?c", false),
      ("e\u{301}x", "?x", true), ("é", "e*", false), ("", "*", true), ("", "?", false),
      ("abcabd", "*ab?", true), ("abcabd", "a*b*d", true), ("abab", "ab*ab", true),
      ("ab", "ab*ab", false), ("aXbYc", "a?b?c", true), ("xabcx", "*?b?*", true),
      ("ab", "**", true), ("mississippi", "m*iss*pi", true), ("mississippi", "m*iss*si", false),
    ])
  func `LIKE matches wildcards, and matches escaped wildcards literally`(
    text: String, pattern: String, isLike: Bool
  ) {
    #expect(Self.holds(text, .like, pattern) == isLike)
  }

  @Test func `random LIKE patterns with wildcards agree with a naive matcher`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<3_000 {
      let text = Self.draw("ab", 0...8, &generator)
      let pattern = Self.draw("ab*?", 1...6, &generator)
      #expect(
        Self.holds(text, .like, pattern) == Self.isLike(Array(text), Array(pattern)),
        "\(text) LIKE \(pattern)")
    }
  }

  private static func isLike(_ text: [Character], _ pattern: [Character]) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = Array(pattern.dropFirst())
    if first == "*" {
      return (0...text.count).contains { isLike(Array(text.dropFirst($0)), rest) }
    }
    return !text.isEmpty && (first == "?" || first == text[0])
      && isLike(Array(text.dropFirst()), rest)
  }

  private static func draw(
    _ letters: String, _ count: ClosedRange<Int>, _ generator: inout SeededGenerator
  ) -> String {
    let letters = Array(letters)
    return String(
      (0..<Int.random(in: count, using: &generator)).map { _ in
        letters[Int.random(in: letters.indices, using: &generator)]
      })
  }

  @Test(
    arguments: [
      [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ] as [TextOptions])
  func `CONTAINS, BEGINSWITH, ENDSWITH and equality of random texts agree with NSString`(
    options: TextOptions
  ) {
    var compare: NSString.CompareOptions = []
    if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<3_000 {
      let text = Self.draw("aAeéÉëxж", 0...8, &generator)
      let part = Self.draw("aAeéÉëxж", 1...3, &generator)
      let whole = text as NSString
      let found = whole.range(of: part, options: compare)
      let first = whole.range(of: part, options: compare.union(.anchored))
      let last = whole.range(of: part, options: compare.union([.anchored, .backwards]))
      let words: Comment = "\(text) and \(part), \(options)"
      #expect(
        Self.holds(text, .contains, part, options) == (found.location != NSNotFound), words)
      #expect(
        Self.holds(text, .beginsWith, part, options) == (first.location != NSNotFound), words)
      #expect(Self.holds(text, .endsWith, part, options) == (last.location != NSNotFound), words)
      let isSame = whole.compare(part, options: compare) == .orderedSame
      #expect(Self.holds(text, .equal, part, options) == isSame, words)
    }
  }

  @Test(
    arguments: [
      ("a", "b"), ("Z", "a"), ("é", "f"), ("e", "é"), ("éa", "f"), ("d", "é"), ("ab", "abc"),
      ("x", "ж"), ("é", "e\u{301}a"), ("", "a"), ("9.0", "98"), ("18.4", "9.0"),
    ])
  func `the order of strings in predicates agrees with NSString`(less: String, greater: String) {
    #expect((less as NSString).compare(greater) == .orderedAscending)
    #expect(Self.holds(less, .less, greater) && Self.holds(greater, .greaterOrEqual, less))
    #expect(!Self.holds(greater, .lessOrEqual, less))
  }

  /// The Latin, Greek and Cyrillic letters with their marks.
  @Test func `case and diacritic folding agree with Foundation`() {
    var other: [String] = []
    for value in Array(UInt32(0x20)...0x52F) + Array(0x1E00...0x1EFF) {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
      let letter = String(Character(scalar))
      let options: NSString.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
      let folded = letter.folding(options: options, locale: nil)
      if !Self.holds(letter, .equal, folded, [.caseInsensitive, .diacriticInsensitive]) {
        other.append("\(letter) \(folded)")
      }
    }
    #expect(other.isEmpty)
  }

  @Test func `a predicate matches a combining mark only together with its letter`() {
    #expect(!Self.holds("e\u{301}", .contains, "e"))
    #expect(!Self.holds("e\u{301}", .beginsWith, "e"))
    #expect(Self.holds("e\u{301}", .contains, "é"))
    #expect(Self.holds("xé", .endsWith, "e\u{301}"))
  }

  @Test(
    arguments: [
      (PredicateOperator.contains, "a", "b"), (.contains, "ab", "c"), (.like, "a", "b*"),
      (.like, "ab", "*c"), (.beginsWith, "é", ""), (.endsWith, "e\u{301}\u{302}", ""),
      (.isIn, "a", ""), (.equal, "é", ""),
    ])
  func `the cost of a predicate's string comparison grows linearly with the strings`(
    comparator: PredicateOperator, piece: String, end: String
  ) {
    let steps = { (count: Int) in
      var budget = WorkBudget(elements: 10_000_000)
      let half = String(repeating: piece, count: count)
      let star = comparator == .like ? "*" : ""
      _ = TextTest.holds(half + half, comparator, star + half + end, [.caseInsensitive], &budget)
      return budget.steps
    }
    #expect(steps(4_000) < 5 * steps(1_000))
    #expect(steps(1_000) > 1_000)
  }

  @Test func `the cost of letters with many combining marks grows linearly`() {
    let steps = { (count: Int) in
      var budget = WorkBudget()
      let letter = "a" + String(repeating: "\u{301}", count: count)
      let letters = String(repeating: "a", count: count)
      #expect(!TextTest.holds(letters, .contains, letter + "a", [], &budget))
      #expect(!TextTest.holds(letter, .contains, letters, [], &budget))
      return budget.steps
    }
    #expect(steps(4_000) < 5 * steps(1_000))
  }
}
