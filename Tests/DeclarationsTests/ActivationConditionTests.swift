import Declarations
import Predicates
import TestSupport
import Testing

/// Tests the parsing of activation predicates, and their evaluation for a device.
struct ActivationConditionTests {
  static let items = StatusItems([
    "device.model.family": .string("iPhone"),
    "device.operating-system.version": .string("18.4"),
    "passcode.is-compliant": .boolean(true),
    "test.array-value": .array([.string("a"), .string("b")]),
    "mdm.app": .array([
      .dictionary(["identifier": .string("com.contoso.mail"), "state": .string("managed")]),
      .dictionary(["identifier": .string("com.contoso.pay"), "state": .string("queued")]),
    ]),
    "management.declarations": .dictionary([
      "configurations": .array([
        .dictionary(["identifier": .string("c"), "active": .boolean(true)])
      ])
    ]),
  ])

  static let properties: [String: StatusValue] = [
    "age": .integer(18), "name": .string("Zoë O'Brien"),
    "roles": .array([.string("Grade12"), .string("staff")]), "ratio": .real(2.5),
    "big": .integer(Int.max), "scores": .array([.integer(50), .integer(70)]),
  ]

  static func holds(_ text: String) throws -> Bool {
    try ActivationCondition(parsing: text).holds(items: items, properties: properties)
  }

  /// Predicates and their results. The examples from Apple's documentation come first.
  static let answers: [(String, Bool)] = [
    ("@status(device.model.family) == 'AppleTV'", false),
    ("@status(device.model.family) == 'iPhone'", true),
    (
      #"SUBQUERY(@status(mdm.app), $app, ($app.@key(identifier) == "com.contoso.mail") AND "#
        + #"($app.@key(state) == "managed")).@count == 1"#, true
    ),
    (#"(@property(age) >= 18) AND ("Grade12" IN @property(roles))"#, true),
    (
      #"SUBQUERY(@status(management.declarations.configurations), $d, ($d.@key(identifier) == "c" "#
        + "AND $d.@key(active) == true)).@count == 1", true
    ),
    ("SUBQUERY(@status(app.managed.list), $a, $a.@key(state) == 'managed').@count != 0", false),
    ("TRUEPREDICATE", true), ("falsepredicate", false), ("not falsepredicate", true),
    ("TRUEPREDICATE OR FALSEPREDICATE AND FALSEPREDICATE", true),
    ("(TRUEPREDICATE || FALSEPREDICATE) && FALSEPREDICATE", false),
    ("!(1 == 2)", true), ("((1)) == (1)", true), ("(1 == 1)", true), ("NOT NOT 1 = 1", true),
    ("@property(age) = 18", true), ("@property(age) <> 18", false), ("@property(age) =< 18", true),
    ("@property(age) => 18.5", false), ("@property(ratio) < 2.75", true), ("-5 < -4", true),
    ("@property(big) == 9223372036854775807", true), ("@property(big) > 9223372036854775806", true),
    ("-9223372036854775808 < -9223372036854775807", true),
    ("@status(passcode.is-compliant) == TRUE", true), ("@status(passcode.is-compliant) == 1", true),
    ("@property(age) == '18'", false),
    ("@status(missing.item) == NULL", true), ("@status(missing.item) != NULL", false),
    ("@status(missing.item) == 'x'", false), ("@status(missing.item) != 'x'", true),
    ("@status(missing.item) < 5", false), ("@status(missing.item) >= 5", false),
    ("@property(name) BEGINSWITH 'Zo'", true), ("@property(name) ENDSWITH[c] 'o\\'BRIEN'", true),
    ("@property(name) CONTAINS 'zoe'", false), ("@property(name) CONTAINS[cd] 'zoe'", true),
    (#"@property(name) ==[cd] "ZOE O'BRIEN""#, true), ("'oë' IN @property(name)", true),
    ("@property(name) LIKE 'Z?ë*en'", true), ("@property(name) LIKE 'Z*x'", false),
    ("'' LIKE '*'", true), ("'a' LIKE ''", false), ("'a*c' LIKE 'a\\\\*c'", true),
    ("'abc' LIKE 'a\\\\*c'", false), ("'abc' CONTAINS ''", false), ("'' IN 'abc'", false),
    ("'abc' BEGINSWITH ''", false), ("'abc' ENDSWITH ''", false), ("'' LIKE ''", false),
    ("@status(device.model.family) IN {'iPhone', 'iPad'}", true), ("1 IN {}", false),
    ("@property(age) BETWEEN {18, 20}", true), ("@property(age) BETWEEN {19, 20}", false),
    ("ANY @property(roles) == 'staff'", true), ("SOME @property(roles) BEGINSWITH 'x'", false),
    ("ALL @property(scores) >= 50", true), ("ALL @property(scores) > 50", false),
    ("NONE @property(roles) == 'banned'", true), ("ANY @property(nothing) == 1", false),
    ("ANY @status(mdm.app).@key(identifier) == 'com.contoso.pay'", true),
    ("@status(test.array-value).@count > 1", true), ("@property(nothing).@count == 0", true),
    ("@status(test.array-value) == {'a', 'b'}", true), ("@property(roles) CONTAINS 'staff'", true),
    ("@status(device.model).@key(family) == 'iPhone'", true),
    ("@status( device.model.family ) == 'iPhone'", true),
    // Versions are compared as text.
    ("@status(device.operating-system.version) > '9.0'", false),
    (
      "SUBQUERY(@property(scores), $x, SUBQUERY(@property(scores), $y, $y > $x).@count > 0).@count "
        + "== 1", true
    ),
  ]

  @Test(arguments: answers)
  func `activation predicates are evaluated against status items`(text: String, answer: Bool) throws
  {
    #expect(try Self.holds(text) == answer)
  }

  static let unreadable: [(String, Int, String)] = [
    ("", 0, "the predicate is empty"), ("  ", 0, "the predicate is empty"),
    ("@invalid(x) == 1", 0, "`@property(…)` or `@key(…)`, found `@invalid(`"),
    ("@Status(x) == 1", 0, "found `@Status(`; did you mean `@status`?"),
    ("@status == 1", 7, "expected `(` and a name after `@status`"),
    ("1 == @cout", 5, "found `@cout`; did you mean `@count`?"),
    ("@status() == 1", 8, "expected a name of letters"),
    ("@status(a..b) == 1", 8, "expected a name of letters"),
    ("@status(a b) == 1", 10, "expected `)` after the name in `@status(`"),
    ("@status('a') == 1", 8, "expected a name of letters"),
    ("@status(a", 9, "expected `)` after the name in `@status(`"),
    (
      "@status(a) == “x”", 14,
      "found the typographic quotation mark `“`; use the straight quotation mark"
    ),
    ("@status(a) == ‘x’", 14, "use the straight quotation mark, `'`"),
    ("1 == –5", 5, "found the typographic hyphen `–`; use the plain hyphen, `-`"),
    ("@status(a) == %@", 14, "found the format argument `%`"),
    ("@status(a) == 'x", 14, "the string does not end"),
    ("@status(a) == 'x\\", 16, "the string does not end"),
    ("@status(a) == '\\q'", 15, "unknown escape `\\q`"),
    ("@status(a)", 10, "expected an operator such as `==` or `IN`, found the end"),
    ("@status(a) ==", 13, "expected a value, found the end of the predicate"),
    ("@status(a) === 1", 13, "expected a value, found `=`"),
    ("== 5", 0, "expected a value, found `==`"),
    ("1 == 1 OR", 9, "expected a value"), ("1 == 1 x", 7, "expected `AND`, `OR` or the end"),
    ("(1 == 1", 7, "expected `)` after the predicate in brackets"),
    ("device.model.family == 'iPhone'", 0, "found the bare name `device`; status items are"),
    ("SUBQUERY(@status(a), app, TRUEPREDICATE).@count == 1", 21, "expected a variable such as"),
    ("SUBQUERY(@status(a), $a, $a.name == 1).@count == 1", 28, "keys are written `.@key(name)`"),
    ("$app.@key(x) == 1", 0, "`$app` is not the variable of a `SUBQUERY`"),
    ("1 == $", 6, "expected the name of a variable after `$`"),
    ("@property(a) MATCHES '.*'", 13, "`MATCHES` is not simulated"),
    ("@property(a) CONTAINS[x] 'b'", 22, "expected `c`, `d` or `cd`, found `x`"),
    ("@property(a) <[c] 'b'", 13, "no `[c]` or `[d]` may follow this operator"),
    ("1 == 99999999999999999999", 5, "the number is too large"),
    ("1 == 9223372036854775808", 5, "the number is too large"),
    ("1 == -9223372036854775809", 6, "the number is too large"),
    ("1 == 1 ^ 2", 7, "expected a value or an operator, found `^`"),
    ("@key(x) == 1", 0, "expected a value, found `@key(x)`"),
  ]

  @Test(arguments: unreadable)
  func `an invalid predicate is rejected with its position`(
    text: String, offset: Int, message: String
  ) {
    let error = #expect(throws: ConditionError.self) { try ActivationCondition(parsing: text) }
    #expect(error?.offset == offset)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  static let unanswerable: [(String, String)] = [
    ("@property(age) < 'x'", "a number and a string cannot be ordered"),
    ("@property(roles) > 1", "an array and a number cannot be ordered"),
    ("1 IN 'abc'", "`IN` takes an array or two strings, found a number and a string"),
    ("'abc' CONTAINS 1", "`CONTAINS` takes an array or two strings, found a string and a number"),
    ("@property(age) BEGINSWITH 'a'", "takes two strings, found a number and a string"),
    ("@property(age) BETWEEN 7", "`BETWEEN` takes two values in braces"),
    ("ANY @property(age) == 1", "`ANY`, `ALL` and `NONE` take an array, found a number"),
    ("@property(name).@count == 1", "`@count` takes an array, found a string"),
    ("@property(name).@key(x) == 1", "`@key(x)` takes a dictionary, found a string"),
    ("SUBQUERY(@property(age), $a, TRUEPREDICATE).@count == 1", "`SUBQUERY` takes an array"),
  ]

  @Test(arguments: unanswerable)
  func `a type error in an activation predicate is an evaluation error`(
    text: String, message: String
  ) {
    let error = #expect(throws: ConditionEvaluationError.self) { try Self.holds(text) }
    #expect(error?.message.contains(message) == true)
  }

  @Test func `nesting and length of predicates are limited`() throws {
    for (open, close) in [("(", ")"), ("NOT ", ""), ("!", "")] {
      let deep = { (count: Int) in
        String(repeating: open, count: count) + "1 == 1" + String(repeating: close, count: count)
      }
      #expect(try Self.holds(deep(60)))
      #expect(throws: ConditionError.self) { try ActivationCondition(parsing: deep(70)) }
      #expect(throws: ConditionError.self) { try ActivationCondition(parsing: deep(4000)) }
    }
    let values = String(repeating: "(", count: 100) + "1" + String(repeating: ")", count: 100)
    #expect(throws: ConditionError.self) { try ActivationCondition(parsing: values + " == 1") }
    let long = "1 == 1" + String(repeating: " ", count: ActivationCondition.maximumLength)
    let error = #expect(throws: ConditionError.self) { try ActivationCondition(parsing: long) }
    #expect(error?.message.contains("bytes; the maximum is 16384") == true)
  }

  @Test(arguments: ["$a == $b", "TRUEPREDICATE", "FALSEPREDICATE"])
  func `evaluating a predicate with too many comparisons is an error`(clause: String) throws {
    let items = StatusItems([
      "test.array-value": .array((0..<1500).map(StatusValue.integer))
    ])
    let text =
      "SUBQUERY(@status(test.array-value), $a, SUBQUERY(@status(test.array-value), $b, \(clause))"
      + ".@count > 9).@count > 9"
    let condition = try ActivationCondition(parsing: text)
    #expect(throws: ConditionEvaluationError.self) {
      try condition.holds(items: items, properties: [:])
    }
  }

  /// Random sequences of the language's words are parsed or rejected. Parsed predicates are
  /// evaluated without a trap.
  @Test func `NOT negates each random predicate that has a result`() {
    let words = [
      "@status(mdm.app)", "@property(age)", "@property(roles)", ".@key(state)", ".@count", "(", ")",
      "AND", "OR", "NOT", "ANY", "==", "<", "IN", "SUBQUERY(", ",", "$a", "'x'", "5", "{", "}",
      "TRUEPREDICATE", "[c]", "-", "“",
    ]
    var random = SeededGenerator(seed: 7)
    var answered = 0
    for _ in 0..<6_000 {
      let count = Int.random(in: 1...5, using: &random)
      let text = (0..<count).compactMap { _ in words.randomElement(using: &random) }
        .joined(separator: " ")
      guard let condition = try? ActivationCondition(parsing: text) else { continue }
      answered += 1
      let answer = try? condition.holds(items: Self.items, properties: Self.properties)
      let other = try? ActivationCondition(parsing: "NOT (" + text + ")")
        .holds(items: Self.items, properties: Self.properties)
      #expect(answer.map { !$0 } == other)
    }
    #expect(answered > 30)
  }
}
