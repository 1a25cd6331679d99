import Activation
import Testing
import UniformTypes

struct PredicateMatchingTests {
  @Test(
    arguments: [
      ("TRUEPREDICATE", true), ("FALSEPREDICATE", false), ("NOT FALSEPREDICATE", true),
      ("TRUEPREDICATE AND FALSEPREDICATE OR TRUEPREDICATE", true),
      ("TRUEPREDICATE OR TRUEPREDICATE AND FALSEPREDICATE", true),
      ("NOT TRUEPREDICATE OR TRUEPREDICATE", true), ("extensionItems.@count == 1", true),
      ("extensionItems.@count != 1", false), ("2 > extensionItems.@count", true),
      ("extensionItems.@count < 1", false), ("extensionItems.@count <= 1", true),
      ("extensionItems.@count >= 2", false), ("extensionItems.@count IN {0, 1}", true),
      ("{2} CONTAINS extensionItems.@count", false),
      ("SUBQUERY(extensionItems, $i, $i.attachments.@count == 2).@count == 1", true),
      (
        "SUBQUERY(extensionItems, $i, $i.attachments.@count == 2).@count == extensionItems.@count",
        true
      ),
      (
        "SUBQUERY(SUBQUERY(extensionItems, $i, FALSEPREDICATE), $j, TRUEPREDICATE).@count == 0",
        true
      ),
    ])
  func `predicates with AND, OR, NOT, SUBQUERY and @count evaluate to the expected booleans`(
    predicate: String, holds: Bool
  )
    throws
  {
    #expect(try Fixtures.holds(predicate, [Fixtures.images]) == holds)
  }

  @Test(
    arguments: [
      (#"ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image""#, true),
      (#"ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "PUBLIC.IMAGE""#, true),
      (#"ANY $a.registeredTypeIdentifiers UTI-EQUALS "public.image""#, false),
      (#"ANY $a.registeredTypeIdentifiers UTI-EQUALS "Public.JPEG""#, true),
      (#"ANY $a.registeredTypeIdentifiers == "Public.JPEG""#, false),
      (#"ANY $a.registeredTypeIdentifiers ==[c] "Public.JPEG""#, true),
      (#"ANY $a.registeredTypeIdentifiers != "public.jpeg""#, true),
      (#"ALL $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.data""#, true),
      (#"ALL $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image""#, false),
      (#"SOME $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.url""#, true),
      (#"NONE $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.movie""#, true),
      (#"NONE $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.url""#, false),
      (#"$a.registeredTypeIdentifiers CONTAINS "public.url""#, true),
      (#"$a.registeredTypeIdentifiers CONTAINS "public.URL""#, false),
      (#"$a.registeredTypeIdentifiers CONTAINS[c] "public.URL""#, true),
      (#""public.url" IN $a.registeredTypeIdentifiers"#, true),
      (#"ANY $a.registeredTypeIdentifiers IN {"public.png", "public.url"}"#, true),
      (#"ALL $a.registeredTypeIdentifiers IN {"public.png", "public.url"}"#, false),
      ("$a.registeredTypeIdentifiers.@count == 2", true),
      (#"ANY $a.registeredTypeIdentifiers BEGINSWITH "public.""#, true),
      (#"ANY $a.registeredTypeIdentifiers ENDSWITH "peg""#, true),
      (#"ALL $a.registeredTypeIdentifiers ENDSWITH "peg""#, false),
      (#"ANY $a.registeredTypeIdentifiers CONTAINS "ic.j""#, true),
      (#"ANY $a.registeredTypeIdentifiers CONTAINS """#, false),
      (#"ANY $a.registeredTypeIdentifiers LIKE "*.j??g""#, true),
      (#"ANY $a.registeredTypeIdentifiers LIKE "*.j?g""#, false),
      ("ANY $a.registeredTypeIdentifiers MATCHES \"public\\\\.(jpe?g|png)\"", true),
      (#"ANY $a.registeredTypeIdentifiers MATCHES "jpeg""#, false),
      (
        #"SUBQUERY($a.registeredTypeIdentifiers, $t, $t UTI-CONFORMS-TO "public.data").@count == 2"#,
        true
      ),
      (
        #"SUBQUERY($a.registeredTypeIdentifiers, $t, "public.url" UTI-CONFORMS-TO $t).@count == 1"#,
        true
      ),
      (
        #"SUBQUERY($a.registeredTypeIdentifiers, $t, "public.url" UTI-EQUALS $t).@count == 1"#, true
      ),
      (#"SUBQUERY($a.registeredTypeIdentifiers, $t, "url" IN $t).@count == 1"#, true),
      (
        #"ANY SUBQUERY($a.registeredTypeIdentifiers, $t, $t != "public.url") == "public.url""#,
        false
      ),
      (#"ANY {"public.jpeg", "public.url"} UTI-CONFORMS-TO "public.image""#, true),
    ])
  func `a predicate matches the types of an attachment`(predicate: String, holds: Bool) throws {
    #expect(try Fixtures.holds(attachment: predicate, "public.jpeg", "public.url") == holds)
  }

  @Test(
    arguments: [
      ("'b' < 'c'", true), ("'b' <= 'b'", true), ("'b' > 'c'", false), ("'b' >= 'c'", false),
      ("'É' ==[d] 'E'", true), ("'É' == 'E'", false), ("'É' ==[cd] 'e'", true),
      ("'\u{65}\u{301}' ==[d] 'e'", true), ("'é' == 'e\u{301}'", true),
      ("'a' IN[c] {'B', 'A'}", true),
      ("'a' BETWEEN {'a', 'b'}", true), ("'b' BETWEEN {'a', 'b'}", true),
      ("'c' BETWEEN {'a', 'b'}", false), ("'a' BETWEEN {'b', 'c'}", false),
      ("'B' BETWEEN[c] {'a', 'c'}", true),
      ("'b' BETWEEN {'c', 'a'}", false), ("1 BETWEEN {1, 2}", true), ("2 BETWEEN {1, 2}", true),
      ("3 BETWEEN {1, 2}", false), ("0 BETWEEN {1, 2}", false),
      ("ANY {'d', 'b'} BETWEEN {'a', 'c'}", true), ("ALL {'d', 'b'} BETWEEN {'a', 'c'}", false),
      ("'abc' BEGINSWITH[c] 'AB'", true), ("'abc' ENDSWITH[c] 'BC'", true),
      ("'a*c' LIKE 'a\\\\*c'", true),
      ("'abc' LIKE 'a\\\\*c'", false), ("'' LIKE '*'", true), ("'' LIKE '?'", false),
      ("'a\\\\' LIKE 'a\\\\'", true), ("'abcabd' LIKE '*abd'", true), ("'abc' LIKE[c] 'A*'", true),
      ("'' IN 'abc'", false), ("'abc' BEGINSWITH ''", false), ("'abc' ENDSWITH ''", false),
      ("'' CONTAINS ''", false), ("'' LIKE ''", false), ("'' MATCHES ''", false),
      ("'' MATCHES 'a*'", true), ("'ế' ==[d] 'e'", true), ("'Straße' ==[c] 'STRASSE'", true),
    ])
  func `predicate operators such as LIKE, BETWEEN and IN compare texts and numbers`(
    predicate: String, holds: Bool
  ) throws {
    #expect(try Fixtures.holds(predicate, []) == holds)
  }

  @Test func `over an empty type list, ANY is false, and ALL and NONE are true`() throws {
    let list = #"$a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.item""#
    #expect(try !Fixtures.holds(attachment: "ANY \(list)"))
    #expect(try Fixtures.holds(attachment: "ALL \(list)"))
    #expect(try Fixtures.holds(attachment: "NONE \(list)"))
  }

  @Test func `UTI-CONFORMS-TO in a predicate uses the conformances that the type library declares`()
    throws
  {
    let rule = ActivationRule.predicate(
      try Predicate(
        parsing: """
          SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,
            ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "com.example.base").@count > 0).@count > 0
          """))
    let items = [SharedItem(types: ["com.example.note"])]
    let library = TypeLibrary.system.adding([
      TypeDeclaration(
        identifier: "com.example.note", conformsTo: ["com.example.base"],
        origin: .exported(by: "com.example"))
    ])
    #expect(!rule.matches(items, types: .system))
    #expect(rule.matches(items, types: library))
    #expect(rule.matches([SharedItem(types: ["com.example.BASE"])], types: .system))
    let literals = ActivationRule.predicate(
      try Predicate(parsing: "'com.example.note' UTI-CONFORMS-TO 'com.example.base'"))
    #expect(!literals.matches(items, types: .system))
    #expect(literals.matches(items, types: library))
  }

  @Test func `subqueries that exceed the work budget are stopped`() throws {
    var source = "TRUEPREDICATE"
    for level in 0..<20 { source = "SUBQUERY(extensionItems, $v\(level), \(source)).@count == 30" }
    let rule = ActivationRule.predicate(try Predicate(parsing: source))
    let items = Array(repeating: Fixtures.webURL, count: 30)
    #expect(!rule.matches(items, types: .system))
    let explanation = rule.explain(items, types: .system)
    #expect(explanation.verdict == .fails)
    #expect(explanation.detail == "the evaluation stopped after 100000 list elements")
    #expect(explanation.parts.isEmpty)
    let negated = ActivationRule.predicate(try Predicate(parsing: "NOT \(source)"))
    #expect(!negated.matches(items, types: .system))
  }

  @Test func `a rule lists the type identifiers and type patterns in its predicate`() throws {
    let rule = ActivationRule.predicate(
      try Predicate(
        parsing: """
          SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,
            ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image"
            OR ANY $a.registeredTypeIdentifiers IN {"x.y", "public.image"}
            OR ANY $a.registeredTypeIdentifiers BEGINSWITH "public."
            OR SUBQUERY($a.registeredTypeIdentifiers, $t, $t LIKE "*.z" OR "y" IN $t).@count > 0
            OR "z.z" IN $a.registeredTypeIdentifiers
            OR $a.registeredTypeIdentifiers CONTAINS "w.w").@count > 0).@count > 0
          """))
    #expect(rule.typeIdentifiers == ["public.image", "x.y", "z.z", "w.w"])
    #expect(rule.typePatterns == ["public.", "*.z", "y"])
  }

  @Test(
    arguments: [
      ("# <= 20", ["@count <= 20"]), ("# == 0", ["@count == 0"]), ("# < 1", ["@count < 1"]),
      ("20 >= #", ["20 >= @count"]), ("0 == #", ["0 == @count"]), ("1 > #", ["1 > @count"]),
      ("# == 1", []), ("# > 0", []), ("1 <= #", []), ("1 == #", []),
      ("# <= 20 OR # <= 20 OR NOT 0 >= #", ["@count <= 20", "0 >= @count"]),
      ("extensionItems.@count <= 20", []), ("0 <= extensionItems.@count", []),
      ("SUBQUERY(extensionItems, $i, $i.attachments.@count == 1).@count <= 20", []),
      ("20 >= SUBQUERY(extensionItems, $i, $i.attachments.@count == 1).@count", []),
    ])
  func `a rule lists its @count comparisons that are true for zero matching attachments`(
    predicate: String, counts: [String]
  ) throws {
    let count = """
      SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,
        ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image").@count > 0).@count
      """
    let rule = ActivationRule.predicate(
      try Predicate(parsing: predicate.replacing("#", with: count)))
    #expect(rule.countsOfNothing == counts)
    #expect(DictionaryRuleTests.rule(["Image": .integer(20)]).countsOfNothing.isEmpty)
  }
}
