import Predicates
import Testing
import UniformTypes

@testable import Activation

/// Tests the cost of evaluating rules, including malicious ones.
struct WorkBudgetTests {
  static func steps(_ predicate: String, types: String...) throws -> Int {
    var budget = WorkBudget(elements: 10_000_000)
    let items = ResolvedItems([SharedItem(types: types)], types: .system)
    _ = ActivationRule.predicate(try Predicate(parsing: predicate)).matches(items, &budget)
    return budget.steps
  }

  static func asking(_ comparison: String) -> String {
    """
    SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,
      SUBQUERY($a.registeredTypeIdentifiers, $t, \(comparison)).@count > 0).@count > 0).@count > 0
    """
  }

  @Test(
    arguments: [
      ("$t CONTAINS[cd] '", "a", "b'"), ("$t BEGINSWITH[cd] '", "é", "'"),
      ("$t LIKE[c] '*", "a", "b*'"), ("$t ==[d] '", "e\u{301}", "'"), ("'", "a", "' CONTAINS $t"),
      ("$t IN {'x'", ", 'y'", "}"),
    ])
  func `the cost of a rule grows linearly with its length`(
    start: String, piece: String, end: String
  ) throws {
    let steps = { (count: Int) in
      try Self.steps(
        Self.asking(start + String(repeating: piece, count: count) + end), types: "public.jpeg")
    }
    #expect(try steps(8_000) <= 5 * steps(2_000))
  }

  @Test func `literals are compared once, when the rule is parsed`() throws {
    let long = String(repeating: "a", count: 20_000)
    let rule = "'\(long)' CONTAINS[cd] '\(long)b' OR '\(long)' LIKE '*\(long)b'"
    #expect(try Self.steps(rule, types: "public.jpeg") < 100)
    #expect(try !Fixtures.holds(rule, []))
    #expect(try Fixtures.holds("'\(long)b' CONTAINS[cd] '\(long)B'", []))
  }

  @Test func `literals that are too expensive to compare are rejected with their position`() throws
  {
    let text = String(repeating: "a", count: 60_000)
    let pattern = String(repeating: "(a|aa)*", count: 140)
    let error = #expect(throws: PredicateError.self) {
      try Predicate(parsing: "TRUEPREDICATE AND '\(text)' MATCHES '\(pattern)b'")
    }
    #expect(
      error?.description
        == "1:19: error: expected shorter strings around `MATCHES`, found a comparison "
        + "that takes too long")
  }

  @Test func `a rule with too many comparisons of one string is stopped`() throws {
    let rule = ActivationRule.predicate(
      try Predicate(
        parsing: Self.asking("$t MATCHES '\(String(repeating: "(a|aa)*", count: 140))b'")))
    let items = [SharedItem(types: [String(repeating: "a", count: 60_000)])]
    #expect(!rule.matches(items, types: .system))
    #expect(
      rule.explain(items, types: .system).detail
        == "the evaluation stopped after 100000 list elements")
  }

  @Test func `twins of twins are rejected before they are generated`() throws {
    var inner = "$t UTI-CONFORMS-TO 'public.image'"
    for level in 0..<40 {
      let variable = level == 0 ? "$t" : "$v\(level)"
      inner =
        "ANY SUBQUERY($a.registeredTypeIdentifiers, \(variable), \(inner)) UTI-EQUALS 'public.url'"
    }
    let rule = ActivationRule.predicate(
      try Predicate(
        parsing:
          "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, \(inner)).@count > 0).@count > 0"
      ))
    #expect(throws: PredicateError.self) { try rule.rewritten() }
  }

  @Test func `a long string is truncated in an explanation`() throws {
    let rule = ActivationRule.predicate(
      try Predicate(parsing: "'\(String(repeating: "a", count: 5_000))' == 'b'"))
    let explanation = rule.explain([], types: .system)
    #expect(explanation.text.count < 300)
    #expect(explanation.detail?.hasSuffix("a…`") == true)
  }
}
