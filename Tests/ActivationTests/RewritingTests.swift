import Activation
import Testing
import UniformTypes

struct RewritingTests {
  static let twin = "com.microsoft.intune.mam."

  static func rewritten(_ source: String) throws -> String {
    guard
      case .predicate(let predicate) = try ActivationRule.predicate(
        Predicate(parsing: source)
      ).rewritten()
    else { return "" }
    return predicate.source
  }

  static func attachment(_ predicate: String) -> String {
    "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,\n \(predicate)).@count == 1).@count == 1"
  }

  static func any(_ type: String) -> String {
    #"ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "\#(type)""#
  }

  @Test(
    arguments: [
      (any("a.b"), "\(any("a.b")) || \(any(twin + "a.b"))"),
      (
        "\(any("a.b")) OR \(any("c.d"))",
        "\(any("a.b")) || \(any(twin + "a.b")) OR \(any("c.d")) || \(any(twin + "c.d"))"
      ),
      (
        "\(any("a.b")) && TRUEPREDICATE", "(\(any("a.b")) || \(any(twin + "a.b"))) && TRUEPREDICATE"
      ),
      ("NOT \(any("a.b"))", "NOT (\(any("a.b")) || \(any(twin + "a.b")))"),
      ("(\(any("a.b")))", "(\(any("a.b"))) || (\(any(twin + "a.b")))"),
      (any("com.microsoft.intune.MAM.a.b"), any("com.microsoft.intune.MAM.a.b")),
      ("\(any(twin + "a.b")) || \(any("a.b"))", "\(any(twin + "a.b")) || \(any("a.b"))"),
      (
        "NONE $a.registeredTypeIdentifiers UTI-EQUALS 'a.b'",
        "NONE $a.registeredTypeIdentifiers UTI-EQUALS 'a.b' && NONE $a.registeredTypeIdentifiers UTI-EQUALS '\(twin)a.b'"
      ),
      (
        "TRUEPREDICATE || NONE $a.registeredTypeIdentifiers == 'a.b'",
        "TRUEPREDICATE || (NONE $a.registeredTypeIdentifiers == 'a.b' && NONE $a.registeredTypeIdentifiers == '\(twin)a.b')"
      ),
      (
        "SUBQUERY($a.registeredTypeIdentifiers, $t, $t UTI-CONFORMS-TO 'a.b').@count > 0",
        "SUBQUERY($a.registeredTypeIdentifiers, $t, $t UTI-CONFORMS-TO 'a.b' || $t UTI-CONFORMS-TO '\(twin)a.b').@count > 0"
      ),
      (
        "ANY $a.registeredTypeIdentifiers BEGINSWITH 'a.b'",
        "ANY $a.registeredTypeIdentifiers BEGINSWITH 'a.b'"
      ),
      ("ANY $a.registeredTypeIdentifiers == ''", "ANY $a.registeredTypeIdentifiers == ''"),
    ])
  func `rewriting adds a twin to each type comparison and changes nothing else`(
    predicate: String, expected: String
  ) throws {
    let once = try Self.rewritten(Self.attachment(predicate))
    #expect(once == Self.attachment(expected))
    #expect(try Self.rewritten(once) == once)
  }

  @Test func `rewriting also adds twin types to a comparison nested in another type comparison`()
    throws
  {
    let source = Self.attachment(
      "ANY SUBQUERY($a.registeredTypeIdentifiers, $t, $t UTI-EQUALS 'a.b') UTI-CONFORMS-TO 'c.d'")
    let once = try Self.rewritten(source)
    #expect(once.components(separatedBy: Self.twin).count == 4)
    #expect(try Self.rewritten(once) == once)
    let rule = ActivationRule.predicate(try Predicate(parsing: once))
    #expect(!rule.matches([SharedItem(types: ["a.b"])], types: .system))
  }

  @Test func `a dictionary rule is rewritten to a predicate that also accepts twin types`() throws {
    let rule = DictionaryRuleTests.rule(["Image": .integer(2), "Text": .boolean(true)])
    let rewritten = try rule.rewritten()
    guard case .predicate(let predicate) = rewritten else {
      Issue.record("no predicate")
      return
    }
    #expect(rewritten.matches([Fixtures.images], types: .system))
    #expect(rewritten.matches(Fixtures.twins(of: [Fixtures.images]), types: .system))
    #expect(!rewritten.matches([Fixtures.movie], types: .system))
    #expect(!rewritten.matches(Fixtures.twins(of: [Fixtures.movie]), types: .system))
    #expect(predicate.source.contains(Self.twin + "public.image"))
    #expect(!predicate.source.contains("\(Int.max)"), "text has no maximum")
    #expect(try rewritten.rewritten() == rewritten)
  }

  @Test(
    arguments: [
      (["Most": .integer(1)], Fixtures.contact, Fixtures.page),
      (["File": .integer(1)], Fixtures.folder, Fixtures.contact),
    ] as [([String: DictionaryRule.Value], SharedItem, SharedItem)])
  func `a rewritten dictionary rule matches the same items`(
    values: [String: DictionaryRule.Value], matching: SharedItem, other: SharedItem
  ) throws {
    let rule = DictionaryRuleTests.rule(values)
    let rewritten = try rule.rewritten()
    #expect(rewritten != rule)
    for rule in [rule, rewritten] {
      #expect(rule.matches([matching], types: .system))
      #expect(!rule.matches([other], types: .system))
    }
  }

  @Test(arguments: [
    (50_000, " bytes"), (50_001, "a rule that exceeds this length with the twins of its types"),
  ])
  func `rewriting rejects a comparison if adding its twin would exceed the length limit`(
    length: Int, found: String
  ) throws {
    let start = "ANY $a.registeredTypeIdentifiers UTI-EQUALS '"
    let comparison = start + String(repeating: "a", count: length - start.count - 1) + "'"
    let error = #expect(throws: PredicateError.self) {
      try Self.rewritten(Self.attachment(comparison))
    }
    #expect(error?.found.hasSuffix(found) == true)
  }

  @Test(
    arguments: [
      [:], ["NSExtensionActivationSupportsImageWithMaxCount": .integer(0)],
      [
        "NSExtensionActivationSupportsText": .boolean(true),
        "NSExtensionActivationSupportImageWithMaxCount": .integer(1),
      ],
    ] as [[String: DictionaryRule.Value]])
  func `a dictionary rule that matches nothing, or has an unknown key, is not rewritten`(
    values: [String: DictionaryRule.Value]
  ) throws {
    let rule = ActivationRule.dictionary(
      DictionaryRule(values: values.map { DictionaryRule.Entry(key: $0.key, value: $0.value) }))
    #expect(try rule.rewritten() == rule)
  }
}

extension String {
  fileprivate func components(separatedBy part: String) -> [Substring] {
    split(separator: part, omittingEmptySubsequences: false)
  }
}
