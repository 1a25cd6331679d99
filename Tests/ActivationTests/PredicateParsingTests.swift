import Predicates
import Testing

@testable import Activation

struct PredicateParsingTests {
  static let list = "$a.registeredTypeIdentifiers"

  static func attachment(_ predicate: String) -> String {
    "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, \(predicate)).@count == 1).@count == 1"
  }

  @Test(
    arguments: [
      ("TRUEPREDICATE", "TRUEPREDICATE"), ("falsepredicate", "FALSEPREDICATE"),
      (" \n\tTruePredicate\r\n ", "TRUEPREDICATE"), ("((TRUEPREDICATE))", "TRUEPREDICATE"),
      ("NOT TRUEPREDICATE", "NOT TRUEPREDICATE"), ("!TRUEPREDICATE", "NOT TRUEPREDICATE"),
      ("!!TRUEPREDICATE", "NOT NOT TRUEPREDICATE"),
      ("not(not TRUEPREDICATE)", "NOT NOT TRUEPREDICATE"),
      (
        "TRUEPREDICATE && FALSEPREDICATE || TRUEPREDICATE and TRUEPREDICATE",
        "(TRUEPREDICATE AND FALSEPREDICATE) OR (TRUEPREDICATE AND TRUEPREDICATE)"
      ),
      (
        "TRUEPREDICATE And (FALSEPREDICATE oR TRUEPREDICATE)",
        "TRUEPREDICATE AND (FALSEPREDICATE OR TRUEPREDICATE)"
      ),
      ("NOT (TRUEPREDICATE OR TRUEPREDICATE)", "NOT (TRUEPREDICATE OR TRUEPREDICATE)"),
      ("extensionItems.@count = 1", "extensionItems.@count == 1"),
      ("1 == extensionItems.@count", "1 == extensionItems.@count"),
      ("extensionItems.@count <> -1", "extensionItems.@count != -1"),
      (
        "extensionItems.@count > -09223372036854775808",
        "extensionItems.@count > -9223372036854775808"
      ),
      ("extensionItems.@count =< 1", "extensionItems.@count <= 1"),
      ("extensionItems.@count => 1", "extensionItems.@count >= 1"),
      ("(extensionItems).@count < (1)", "extensionItems.@count < 1"),
      ("(extensionItems.@count) > 1", "extensionItems.@count > 1"),
      ("((extensionItems.@count > 1))", "extensionItems.@count > 1"),
      ("extensionItems.@count IN {1, 2}", "extensionItems.@count IN {1, 2}"),
      ("{1,2,} contains extensionItems.@count", "{1, 2} CONTAINS extensionItems.@count"),
      (#"'a' == "b""#, #""a" == "b""#), ("'a' like[CD] 'b'", #""a" LIKE[cd] "b""#),
      ("'a' MATCHES[c] 'b'", #""a" MATCHES[c] "b""#),
      (#"'it\'s' != "a\\b\"\n\r\t“""#, #""it's" != "a\\b\"\n\r\t“""#),
      (
        "subquery (extensionItems,$x,$x.attachments.@count==0) . @count!=1",
        "SUBQUERY(extensionItems, $x, $x.attachments.@count == 0).@count != 1"
      ),
      (
        "SUBQUERY(SUBQUERY(extensionItems, $x, TRUEPREDICATE), $y, FALSEPREDICATE).@count == 0",
        "SUBQUERY(SUBQUERY(extensionItems, $x, TRUEPREDICATE), $y, FALSEPREDICATE).@count == 0"
      ),
    ])
  func `valid predicates are parsed`(source: String, canonical: String) throws {
    let predicate = try Predicate(parsing: source)
    #expect(predicate.description == canonical)
    #expect(predicate.source == source)
    #expect(try Predicate(parsing: canonical) == predicate)
  }

  @Test(arguments: [
    ("TRUEPREDICATE", true, false), ("NOT FALSEPREDICATE", false, true),
    ("extensionItems.@count == 1", false, false),
    ("SUBQUERY(extensionItems, $i, TRUEPREDICATE).@count == 1 OR FALSEPREDICATE", true, true),
  ])
  func `a parsed predicate states whether it contains TRUEPREDICATE or FALSEPREDICATE`(
    source: String, statesTrue: Bool, statesFalse: Bool
  ) throws {
    let predicate = try Predicate(parsing: source)
    #expect(predicate.states(true) == statesTrue)
    #expect(predicate.states(false) == statesFalse)
  }

  @Test(
    arguments: [
      #"ANY \#(list) UTI-CONFORMS-TO "public.image""#, #"ALL \#(list) UTI-EQUALS "public.image""#,
      #"NONE \#(list) == "public.image""#, #"SOME \#(list) BEGINSWITH[c] "public.""#,
      #"ANY \#(list) ENDSWITH "image""#, #"ANY \#(list) CONTAINS[cd] "image""#,
      #"ANY \#(list) IN {"public.image", "public.movie"}"#, #"\#(list) CONTAINS "public.image""#,
      #""public.url" IN \#(list)"#, "ANY \(list) MATCHES \"public\\\\..*\"", "\(list).@count <= 2",
      #"SUBQUERY(\#(list), $t, $t UTI-CONFORMS-TO "public.data" AND "a" IN $t).@count > 0"#,
      #"ANY SUBQUERY(\#(list), $t, $t LIKE "*.?") != "public.url""#,
    ])
  func `a predicate is printed with its operators and key paths as written`(predicate: String)
    throws
  {
    let source = Self.attachment(predicate)
    #expect(try Predicate(parsing: source).description == source)
  }

  @Test func `parts of a predicate have their source positions`() throws {
    let predicate = try Predicate(parsing: "TRUEPREDICATE OR\r\n  extensionItems.@count == 1")
    guard case .any(let clauses) = predicate.root.kind else {
      Issue.record("no disjunction")
      return
    }
    #expect(clauses.map(\.part.line) == [1, 2])
    #expect(clauses.map(\.part.column) == [1, 3])
    #expect(predicate.source[clauses[1].part.range] == "extensionItems.@count == 1")
  }

  @Test func `the nesting of predicates is limited, but the length of operator chains is not`()
    throws
  {
    let depth = Predicate.maximumDepth
    func nested(_ levels: Int) -> String {
      String(repeating: "(", count: levels) + "TRUEPREDICATE"
        + String(repeating: ")", count: levels)
    }
    #expect(try Predicate(parsing: nested(depth)).description == "TRUEPREDICATE")
    #expect(throws: PredicateError.self) { try Predicate(parsing: nested(depth + 1)) }
    #expect(throws: PredicateError.self) {
      try Predicate(parsing: String(repeating: "!", count: 50_000) + "TRUEPREDICATE")
    }
    let chain = Array(repeating: "TRUEPREDICATE", count: 2_000).joined(separator: " OR ")
    #expect(try Predicate(parsing: chain).description == chain)
  }
}
