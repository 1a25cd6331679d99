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
  func `the evaluation steps of an activation rule grow linearly with its length`(
    start: String, piece: String, end: String
  ) throws {
    let steps = { (count: Int) in
      try Self.steps(
        Self.asking(start + String(repeating: piece, count: count) + end), types: "public.jpeg")
    }
    #expect(try steps(8_000) <= 5 * steps(2_000))
  }

  private static let countOfItems = "SUBQUERY(extensionItems, $i, TRUEPREDICATE).@count"
  private static let countOfCount =
    "SUBQUERY(SUBQUERY(extensionItems, $i, TRUEPREDICATE), $j, TRUEPREDICATE).@count == 1"

  /// An element costs 64 characters, a clause one. The limit is in elements.
  @Test(arguments: [
    ("TRUEPREDICATE", 1, 9, 1), ("extensionItems.@count == 1", 1, 9, 1),
    ("\(countOfItems) == 1", 1, 9, 1 + 65), ("\(countOfItems) == 1", 3, 9, 1 + 3 * 65),
    (countOfCount, 1, 9, 1 + 65 + 65),
    // The evaluation stops when the limit is exceeded.
    ("\(countOfItems) == 1", 1, 0, 1), ("\(countOfItems) == 1", 10, 1, 1 + 64),
    ("\(countOfItems) == 0 AND TRUEPREDICATE AND TRUEPREDICATE", 1, 1, 2 + 64 + 1),
    (countOfCount, 10, 2, 1 + 65 + 9 * 64 + 64),
  ])
  func `a predicate costs a fixed number of steps per element and clause, up to a limit`(
    predicate: String, items: Int, limit: Int, steps: Int
  ) throws {
    var budget = WorkBudget(elements: limit)
    let items = ResolvedItems(Array(repeating: Fixtures.webURL, count: items), types: .system)
    let rule = ActivationRule.predicate(try Predicate(parsing: predicate))
    #expect(!rule.matches(items, &budget) || !budget.isExhausted)
    #expect(budget.steps == steps)
  }

  @Test(arguments: [
    ("$a.registeredTypeIdentifiers CONTAINS 'x'", 64..<128),
    ("ANY $a.registeredTypeIdentifiers == 'x'", 64..<128),
    ("ANY $a.registeredTypeIdentifiers IN {'x', 'y', 'z'}", 65..<66),
    ("ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO 'public.image'", 64..<65),
  ])
  func `each additional attachment type costs one more element and one more comparison`(
    predicate: String, cost: Range<Int>
  ) throws {
    let rule =
      "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, \(predicate)).@count > 0).@count > 0"
    let steps = try (1...2).map { count in
      var budget = WorkBudget()
      let items = [SharedItem(types: Array(repeating: "a", count: count))]
      _ = ActivationRule.predicate(try Predicate(parsing: rule)).matches(
        ResolvedItems(items, types: .system), &budget)
      return budget.steps
    }
    #expect(cost.contains(steps[1] - steps[0]), "\(steps)")
  }

  @Test func `comparisons between two literals of a predicate cost no evaluation steps`() throws {
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

  @Test func `evaluation stops if the comparison of a single string exceeds the work budget`()
    throws
  {
    let rule = ActivationRule.predicate(
      try Predicate(
        parsing: Self.asking("$t MATCHES '\(String(repeating: "(a|aa)*", count: 140))b'")))
    let items = [SharedItem(types: [String(repeating: "a", count: 60_000)])]
    #expect(!rule.matches(items, types: .system))
    #expect(
      rule.explain(items, types: .system).detail
        == "the evaluation stopped after 100000 list elements")
  }

  @Test func `a nested rule that would grow exponentially when rewritten is rejected`()
    throws
  {
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
    let error = #expect(throws: PredicateError.self) { try rule.rewritten() }
    #expect(error?.found == "a rule that exceeds this length with the twins of its types")
  }

  @Test(arguments: [(200, ""), (201, "…")])
  func `a predicate's string of more than 200 characters is abbreviated`(count: Int, end: String)
    throws
  {
    let rule = ActivationRule.predicate(
      try Predicate(parsing: "'\(String(repeating: "a", count: count))' == 'b'"))
    #expect(
      rule.explain([], types: .system).text
        == "\"\(String(repeating: "a", count: 200))\(end)\" == \"b\"")
  }

  @Test func `the explanation of an activation rule truncates a long string`() throws {
    let rule = ActivationRule.predicate(
      try Predicate(parsing: "'\(String(repeating: "a", count: 5_000))' == 'b'"))
    let explanation = rule.explain([], types: .system)
    #expect(explanation.text.count < 300)
    #expect(explanation.detail?.hasSuffix("a…`") == true)
  }
}
