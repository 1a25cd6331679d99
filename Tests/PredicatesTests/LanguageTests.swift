import Activation
import Declarations
import Predicates
import Testing
import UniformTypes

/// Activation rules and conditions of declarations share one engine. A predicate that both
/// languages can express has the same meaning in both, and the same meaning for a naive evaluator.
struct LanguageTests {
  /// Returns the number of `texts` for which the predicate is true.
  static func count(_ predicate: NaivePredicate, _ texts: [String]) -> Int {
    texts.count { predicate.holds(NaiveScope(text: $0, texts: texts)) }
  }

  /// Returns whether an activation rule is true for this number of an attachment's types.
  static func isRuleTrue(
    _ predicate: NaivePredicate, _ count: Int, _ texts: [String], seed: UInt64
  ) throws -> Bool {
    var spelling = PredicateSpelling(seed: seed, list: "$a.registeredTypeIdentifiers")
    let text = spelling.text(of: predicate, holdingFor: count)
    let rule = try Predicate(
      parsing: "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, \(text)).@count == 1)"
        + ".@count == 1")
    let attachment = SharedAttachment(registeredTypeIdentifiers: texts)
    return ActivationRule.predicate(rule).matches(
      [SharedItem(attachments: [attachment])], types: .system)
  }

  /// Returns whether a condition is true for this number of a property's values.
  static func isConditionTrue(
    _ predicate: NaivePredicate, _ count: Int, _ texts: [String], seed: UInt64
  ) throws -> Bool {
    var spelling = PredicateSpelling(seed: seed, list: "@property(texts)")
    let text = spelling.text(of: predicate, holdingFor: count)
    return try ActivationCondition(parsing: text).holds(
      items: StatusItems(), properties: ["texts": .array(texts.map(PredicateValue.string))])
  }

  @Test func `the predicate languages agree with a naive evaluator on common operators`() throws {
    var random = RandomPredicates(seed: 21)
    var fitting = 0
    for round in 0..<3_000 {
      let predicate = random.predicate()
      let texts = random.scope()
      let count = Self.count(predicate, texts)
      let seed = UInt64(round)
      #expect(
        try Self.isRuleTrue(predicate, count, texts, seed: seed), "\(predicate) \(texts) \(count)")
      #expect(
        try Self.isConditionTrue(predicate, count, texts, seed: seed),
        "\(predicate) \(texts) \(count)")
      #expect(try !Self.isRuleTrue(predicate, count + 1, texts, seed: seed))
      fitting += count
    }
    #expect((500...4_000).contains(fitting), "\(fitting)")
  }

  @Test func `predicates with MATCHES and BETWEEN agree with a naive evaluator`() throws {
    var patterns = RandomPredicates(seed: 22, own: ["MATCHES"])
    var bounds = RandomPredicates(seed: 23, own: ["BETWEEN"])
    for round in 0..<1_000 {
      let (pattern, between) = (patterns.predicate(depth: 1), bounds.predicate(depth: 1))
      let texts = patterns.scope()
      let seed = UInt64(round)
      #expect(
        try Self.isRuleTrue(pattern, Self.count(pattern, texts), texts, seed: seed),
        "\(pattern) \(texts)")
      #expect(
        try Self.isRuleTrue(between, Self.count(between, texts), texts, seed: seed),
        "\(between) \(texts)")
      #expect(
        try Self.isConditionTrue(between, Self.count(between, texts), texts, seed: seed),
        "\(between) \(texts)")
    }
  }
}
