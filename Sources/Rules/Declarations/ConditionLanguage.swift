internal import Output
internal import Predicates

/// The predicate language of activations: the subset of NSPredicate that Apple documents for declarative management.
enum ConditionLanguage: PredicateLanguage {
  typealias Failure = ConditionError
  typealias Operand = ConditionOperand
  typealias Comparison = PredicateComparison<ConditionLanguage>

  /// A placeholder for the kind of an array's elements, which is unknown until the predicate is evaluated on a device.
  struct Element: Sendable, Equatable {}

  static let dialect = PredicateDialect(
    noun: "predicate", maximumLength: ActivationCondition.maximumLength,
    maximumDepth: ActivationCondition.maximumDepth,
    traits: [
      .scalars, .realNumbers, .numberedVariables, .listsOfOperands, .levelsOfOperands,
    ],
    operators: [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith,
      .contains, .isIn, .like, .between,
    ])

  private static let literals: [String: PredicateValue] = [
    "TRUE": .boolean(true), "YES": .boolean(true), "FALSE": .boolean(false), "NO": .boolean(false),
    "NULL": .null, "NIL": .null,
  ]

  static func operand(
    _ parser: inout PredicateParser<Self>
  ) throws(ConditionError) -> ConditionOperand? {
    let token = parser.token
    let operand: ConditionOperand
    switch token.kind {
    case .function("status", let name): operand = .status(name)
    case .function("property", let name): operand = .property(name)
    case .word(let word):
      guard let literal = literals[word.uppercased()] else {
        throw ConditionError(
          "expected a value, found the bare name `\(word)`; status items are written `@status(…)`, "
            + "strings in quotation marks", at: token.part)
      }
      operand = .literal(literal)
    case .variable, .string, .integer, .real, .function, .operation, .symbol, .end: return nil
    }
    parser.advance()
    return operand
  }

  static func key(
    of operand: PredicateExpression<Self>, _ parser: inout PredicateParser<Self>
  ) throws(ConditionError) -> ConditionOperand {
    let token = parser.token
    switch token.kind {
    case .function("key", let name):
      parser.advance()
      return .key(name, of: operand)
    case .operation("count"):
      parser.advance()
      return .count(of: operand)
    case .word(let name):
      throw ConditionError(
        "keys are written `.@key(\(name))`, found `.\(name)`", at: token.part)
    case .variable, .string, .integer, .real, .function, .operation, .symbol, .end:
      throw parser.unexpected(.key)
    }
  }

  static func element(of collection: PredicateExpression<Self>) -> Element { Element() }

  static func options(
    of comparator: PredicateOperator, at place: SourcePart, _ parser: inout PredicateParser<Self>
  ) throws(ConditionError) -> TextOptions {
    let options = try parser.options()
    guard options.isEmpty || comparator.hasOptions else {
      throw ConditionError("no `[c]` or `[d]` may follow this operator", at: place)
    }
    return options
  }

  static func comparison(_ comparison: Comparison, at place: SourcePart) -> Comparison {
    comparison
  }
}

extension PredicateOperator {
  /// Whether `[c]` and `[d]` may follow the operator.
  fileprivate var hasOptions: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .conformsTo, .typeEquals: false
    case .equal, .notEqual, .beginsWith, .endsWith, .contains, .isIn, .like, .matches: true
    }
  }
}

// MARK: - Operands

indirect enum ConditionOperand: PredicateOperand {
  typealias Language = ConditionLanguage

  case literal(PredicateValue)
  case list([PredicateExpression<ConditionLanguage>])
  /// `@status(name)`
  case status(String)
  /// `@property(name)`
  case property(String)
  /// `$name`, the variable of an enclosing subquery.
  case variable(PredicateVariable<ConditionLanguage>)
  /// `operand.@key(name)`
  case key(String, of: PredicateExpression<ConditionLanguage>)
  /// `operand.@count`
  case count(of: PredicateExpression<ConditionLanguage>)
  case subquery(PredicateSubquery<ConditionLanguage>)
}

// MARK: - Functions

extension ConditionLanguage {
  private static let functions = ["status", "property", "key"]

  /// Reads the token of a function: `@status(name)`, `@property(name)`, `@key(name)` or `@count`.
  static func function(
    _ lexer: inout PredicateLexer<Self>
  ) throws(ConditionError) -> PredicateToken.Kind? {
    let start = lexer.here
    lexer.step()
    let name = lexer.name()
    guard lexer.character == "(" else {
      if name == "count" { return .operation(name) }
      throw bareFunction(name, from: start, to: lexer.here)
    }
    guard functions.contains(name) else {
      throw ConditionError(
        "expected `@status(…)`, `@property(…)` or `@key(…)`, found `@\(name)(`" + question(name),
        at: start)
    }
    lexer.step()
    return .function(name, argument: try argument(of: name, &lexer))
  }

  private static func argument(
    of name: String, _ lexer: inout PredicateLexer<Self>
  ) throws(ConditionError) -> String {
    lexer.skipSpace()
    let place = lexer.here
    let argument = lexer.consume { $0 != "(" && $0 != ")" && !$0.isWhitespace }
    lexer.skipSpace()
    guard lexer.character == ")" else {
      throw ConditionError("expected `)` after the name in `@\(name)(`", at: lexer.here)
    }
    lexer.step()
    guard isName(argument) else {
      throw ConditionError(
        "expected a name of letters, digits, `-`, `_` and `.` in `@\(name)(…)`", at: place)
    }
    return argument
  }

  private static func bareFunction(
    _ name: String, from start: SourcePart, to end: SourcePart
  ) -> ConditionError {
    if functions.contains(name) {
      return ConditionError("expected `(` and a name after `@\(name)`", at: end)
    }
    return ConditionError(
      "expected `@status(…)`, `@property(…)`, `@key(…)` or `@count`, found `@\(name)`"
        + question(name), at: start)
  }

  private static func question(_ name: String) -> String {
    let near = Suggestion.word(for: name, among: functions + ["count"])
    return Suggestion.text(near.map { "@\($0)" })
  }

  private static func isName(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.allSatisfy { $0.isPartOfName || $0 == "-" }
    }
  }

  // MARK: Messages

  static func failure(_ syntaxError: PredicateSyntaxError) -> ConditionError {
    var error = ConditionError(message(syntaxError.kind), at: syntaxError.part)
    if case .empty = syntaxError.kind { error.offset = 0 }
    return error
  }

  private static func message(_ kind: PredicateSyntaxError.Kind) -> String {
    switch kind {
    case .tooLong(let bytes):
      "the predicate has \(bytes) bytes; the maximum is \(dialect.maximumLength)"
    case .tooDeep: "nested deeper than \(dialect.maximumDepth) levels"
    case .empty: "the predicate is empty"
    case .character(let character): unexpected(character)
    case .numberTooLarge: "the number is too large"
    case .noVariableName: "expected the name of a variable after `$`"
    case .unterminatedString, .escape(nil): "the string does not end"
    case .escape(let letter?): "unknown escape `\\\(letter)`"
    case .token(let token, .comparator) where token.isWord("MATCHES"):
      "`MATCHES` is not simulated; use `LIKE` with `*` and `?`"
    case .token(let token, let expectation):
      "expected \(words(for: expectation)), found \(token.words(in: dialect.noun))"
    case .predicateInBrackets(let expectation):
      "expected \(words(for: expectation)), found a predicate in brackets"
    case .unknownVariable(let name, _): "`$\(name)` is not the variable of a `SUBQUERY`"
    }
  }

  private static func unexpected(_ character: Character) -> String {
    let found = Quotation.words(for: character)
    if Quotation.isQuotationMark(character) {
      return "found \(found); use the straight quotation mark, `\(Quotation.straight(character))`"
    }
    if Quotation.isHyphen(character) { return "found \(found); use the plain hyphen, `-`" }
    if character == "%" {
      return "found the format argument `%`, which is valid only in code; write the value itself"
    }
    return "expected a value or an operator, found \(found)"
  }

  private static func words(for expectation: PredicateExpectation) -> String {
    switch expectation {
    case .clause, .quantified, .value, .collection: "a value"
    case .groupEnd: "`)` after the predicate in brackets"
    case .comparator: "an operator such as `==` or `IN`"
    case .key: "`@key(…)` or `@count` after `.`"
    case .listEnd: "`}` after the values"
    case .collectionEnd: "`,` after the collection"
    case .variable: "a variable such as `$item`"
    case .end, .optionLetters, .optionsEnd, .negated, .element, .subqueryStart, .variableEnd,
      .subqueryEnd:
      expectation.words(in: dialect.noun)
    }
  }
}
