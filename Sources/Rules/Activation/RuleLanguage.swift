internal import Output
internal import Predicates
internal import UniformTypes

/// The predicate language of activation rules. Its values are extension items, attachments, type identifiers and
/// numbers.
enum RuleLanguage: PredicateLanguage {
  typealias Failure = PredicateError
  typealias Operand = RuleOperand
  typealias Element = ValueKind
  typealias Comparison = Activation.Comparison

  static let dialect = PredicateDialect(
    noun: "rule", maximumLength: Predicate.maximumLength, maximumDepth: Predicate.maximumDepth,
    traits: .hyphenatedWords,
    operators: [
      .conformsTo, .typeEquals, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
      .beginsWith, .endsWith, .contains, .like, .matches, .isIn, .between,
    ])

  static func operand(
    _ parser: inout PredicateParser<Self>
  ) throws(PredicateError) -> RuleOperand? {
    guard parser.token.kind == .word("extensionItems") else { return nil }
    parser.advance()
    return .items
  }

  static func key(
    of operand: Expression, _ parser: inout PredicateParser<Self>
  ) throws(PredicateError) -> RuleOperand {
    if parser.skip("@") { return try count(of: operand, &parser) }
    let token = parser.token
    guard case .word(let key) = token.kind else { throw parser.unexpected(.key) }
    let kind = operand.valueKind
    guard kind.keys.contains(key) else {
      throw unexpected(token, expected: kind.expectedKey, among: kind.keys)
    }
    parser.advance()
    return kind == .item ? .attachments(of: operand) : .types(of: operand)
  }

  private static func count(
    of collection: Expression, _ parser: inout PredicateParser<Self>
  ) throws(PredicateError) -> RuleOperand {
    let token = parser.token
    guard token.kind == .word("count") else {
      throw unexpected(token, expected: "`count` after `@`", among: ["count"])
    }
    guard collection.valueKind.element != nil else {
      throw PredicateError(
        at: token.part, found: collection.valueKind.noun, expected: "a list before `.@count`")
    }
    parser.advance()
    return .count(of: collection)
  }

  static func options(
    of comparator: PredicateOperator, at place: SourcePart, _ parser: inout PredicateParser<Self>
  ) throws(PredicateError) -> TextOptions {
    if parser.token.isSymbol("["), comparator == .conformsTo || comparator == .typeEquals {
      throw unexpected(
        parser.token,
        expected:
          "a string after `\(comparator.rawValue)`, which takes no options and ignores case"
      )
    }
    return try parser.options()
  }

  static func comparison(
    _ asked: PredicateComparison<Self>, at place: SourcePart
  ) throws(PredicateError) -> Comparison {
    try check(asked, at: place)
    return try Comparison(asked)
  }
}

typealias Clause = PredicateClause<RuleLanguage>
typealias Expression = PredicateExpression<RuleLanguage>
typealias Variable = PredicateVariable<RuleLanguage>
typealias Subquery = PredicateSubquery<RuleLanguage>

// MARK: - Operands

indirect enum RuleOperand: PredicateOperand {
  typealias Language = RuleLanguage

  case number(Int)
  case text(Literal)
  case list([Expression])
  /// The key `extensionItems`: all shared items.
  case items
  case variable(Variable)
  /// The key `attachments` of an item.
  case attachments(of: Expression)
  /// The key `registeredTypeIdentifiers` of an attachment.
  case types(of: Expression)
  case subquery(Subquery)
  /// `.@count` of a list: the number of its elements.
  case count(of: Expression)

  static func literal(_ value: PredicateValue) -> RuleOperand {
    switch value {
    case .integer(let number): .number(number)
    case .string(let text): .text(Literal(text))
    case .null, .boolean, .real, .array, .dictionary:
      preconditionFailure("the only literals of an activation rule are numbers and strings")
    }
  }
}

/// A quoted string.
struct Literal: Sendable, Equatable {
  let reference: TypeReference

  var text: String { reference.identifier }

  init(_ text: String) { reference = TypeReference(text) }
}

enum ValueKind: Sendable, Equatable {
  case items
  case item
  case attachments
  case attachment
  /// An attachment's type identifiers, or a list of strings in braces.
  case texts
  case text
  case numbers
  case number

  /// The kind of the list's elements; nil if this is not the kind of a list.
  var element: ValueKind? {
    switch self {
    case .items: .item
    case .attachments: .attachment
    case .texts: .text
    case .numbers: .number
    case .item, .attachment, .text, .number: nil
    }
  }

  var noun: String {
    switch self {
    case .items: "a list of extension items"
    case .item: "an extension item"
    case .attachments: "a list of attachments"
    case .attachment: "an attachment"
    case .texts: "a list of strings"
    case .text: "a string"
    case .numbers: "a list of numbers"
    case .number: "a number"
    }
  }

  /// The keys that may follow a value of this kind after `.`.
  fileprivate var keys: [String] {
    switch self {
    case .item: ["attachments"]
    case .attachment: ["registeredTypeIdentifiers"]
    case .items, .attachments, .texts, .numbers, .text, .number: []
    }
  }

  fileprivate var expectedKey: String {
    switch self {
    case .item: "`attachments`, the key of an extension item"
    case .attachment: "`registeredTypeIdentifiers`, the key of an attachment"
    case .items, .attachments:
      "`@count` after \(noun) (only `SUBQUERY` reaches its elements)"
    case .texts, .numbers: "`@count` after \(noun)"
    case .text, .number: "no key after \(noun)"
    }
  }
}

extension Expression {
  var valueKind: ValueKind {
    switch kind {
    case .number, .count: .number
    case .text: .text
    case .list(let elements): elements.first?.valueKind == .number ? .numbers : .texts
    case .items: .items
    case .variable(let variable): variable.kind
    case .attachments: .attachments
    case .types: .texts
    case .subquery(let subquery): subquery.collection.valueKind
    }
  }
}

// MARK: - Checks

/// Checks of the kinds of operands. They need no items, so the parser performs them.
extension RuleLanguage {
  static func element(of collection: Expression) throws(PredicateError) -> ValueKind {
    var found = collection.valueKind.noun
    if case .list = collection.kind {
      found = "a list in braces"
    } else if let element = collection.valueKind.element {
      return element
    }
    throw PredicateError(at: collection.part, found: found, expected: words(for: .collection))
  }

  static func check(
    _ element: Expression, beside first: Expression, at token: PredicateToken
  ) throws(PredicateError) {
    guard first.valueKind == element.valueKind else {
      throw unexpected(token, expected: "\(first.valueKind.noun), as before it")
    }
  }

  static func check(
    _ quantifier: PredicateQuantifier, before operand: Expression
  ) throws(PredicateError) {
    guard operand.valueKind == .texts else {
      throw PredicateError(
        at: operand.part, found: operand.valueKind.noun,
        expected: "a list of strings after `\(quantifier.rawValue)`")
    }
  }

  /// Throws an error if the operator cannot compare the two operands, or if numbers are compared with options. `place`
  /// is the operator's position.
  private static func check(
    _ comparison: PredicateComparison<Self>, at place: SourcePart
  ) throws(PredicateError) {
    let left = comparison.comparedKind
    let right = comparison.right.valueKind
    let name = comparison.comparator.rawValue
    guard let wanted = comparison.comparator.right(for: left) else {
      let noun = comparison.comparator.leftNoun
      // A list without a quantifier is the most common mistake.
      let suggestion = left == .texts && noun == ValueKind.text.noun ? "ANY" : nil
      throw PredicateError(
        at: comparison.left.part, found: left.noun, expected: "\(noun) on the left of `\(name)`",
        suggestion: suggestion)
    }
    guard wanted.contains(right) else {
      let nouns = wanted.map(\.noun).joined(separator: " or ")
      throw PredicateError(
        at: comparison.right.part, found: right.noun,
        expected: "\(nouns) on the right of `\(name)`")
    }
    if comparison.comparator == .between {
      guard case .list(let bounds) = comparison.right.kind, bounds.count == 2 else {
        throw PredicateError(
          at: comparison.right.part, found: "another list",
          expected: "two values in braces on the right of `\(name)`")
      }
    }
    if !comparison.options.isEmpty, left == .number || left == .numbers {
      throw PredicateError(
        at: place, found: "`\(name)` with options",
        expected: "`\(name)` without options between numbers")
    }
  }
}

extension PredicateComparison<RuleLanguage> {
  /// The kind of the values that are compared with the right operand: the left operand itself or, with a quantifier,
  /// its elements.
  var comparedKind: ValueKind { quantifier == nil ? left.valueKind : .text }
}

extension PredicateOperator {
  /// Returns the kinds that the right operand may have if the left operand is of kind `left`. Returns nil if the
  /// operator cannot compare a left operand of this kind.
  fileprivate func right(for left: ValueKind) -> [ValueKind]? {
    switch self {
    case .conformsTo, .typeEquals, .beginsWith, .endsWith, .like, .matches:
      left == .text ? [.text] : nil
    case .contains:
      switch left {
      case .text, .texts: [.text]
      case .numbers: [.number]
      case .items, .item, .attachments, .attachment, .number: nil
      }
    case .isIn:
      switch left {
      case .text: [.texts, .text]
      case .number: [.numbers]
      case .items, .item, .attachments, .attachment, .texts, .numbers: nil
      }
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      switch left {
      case .text: [.text]
      case .number: [.number]
      case .items, .item, .attachments, .attachment, .texts, .numbers: nil
      }
    case .between:
      switch left {
      case .text: [.texts]
      case .number: [.numbers]
      case .items, .item, .attachments, .attachment, .texts, .numbers: nil
      }
    }
  }

  fileprivate var leftNoun: String {
    switch self {
    case .conformsTo, .typeEquals, .beginsWith, .endsWith, .like, .matches: ValueKind.text.noun
    case .contains: "a string or a list"
    case .isIn, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      "a string or a number"
    }
  }
}

// MARK: - Messages

extension RuleLanguage {
  static func failure(_ syntaxError: PredicateSyntaxError) -> PredicateError {
    // The text found, the expectation and the suggestion.
    let phrases: (String, String, String?)
    switch syntaxError.kind {
    case .tooLong(let bytes):
      phrases = ("\(bytes) bytes", "a rule of at most \(dialect.maximumLength) bytes", nil)
    case .tooDeep:
      phrases = ("a deeper one", "at most \(dialect.maximumDepth) levels of nesting", nil)
    case .empty: phrases = (words(for: nil), words(for: .clause), nil)
    case .character(let character): phrases = unexpected(character)
    case .numberTooLarge(let digits):
      phrases = ("`\(digits.prefix(24))`", "a number of at most \(Int.max)", nil)
    case .noVariableName(let character):
      phrases = (words(for: character), "the name of a variable after `$`", nil)
    // The last quotation mark of the string comes from a word processor.
    case .unterminatedString(_, let suspect?): return failure(suspect)
    case .unterminatedString(let quote, nil):
      phrases = ("a string that does not end", "`\(quote)` at the end of the string", nil)
    case .escape(let character):
      phrases = (
        character.map { "`\\\($0)`" } ?? words(for: nil),
        #"an escape: `\\`, `\"`, `\'`, `\n`, `\r` or `\t`"#, nil
      )
    case .token(let token, let expectation):
      return unexpected(token, expected: words(for: expectation), among: known(expectation))
    case .predicateInBrackets(let expectation):
      phrases = ("a predicate in parentheses", words(for: expectation), nil)
    case .unknownVariable(let name, let known): phrases = unknownVariable(name, known)
    }
    let (found, expected, suggestion) = phrases
    return PredicateError(
      at: syntaxError.part, found: found, expected: expected, suggestion: suggestion)
  }

  /// Returns the error for a token that is not allowed at its position.
  ///
  /// - Parameter known: The valid words. The most similar one is suggested.
  private static func unexpected(
    _ token: PredicateToken, expected: String, among known: [String] = []
  ) -> PredicateError {
    var suggestion: String?
    if case .word(let word) = token.kind {
      suggestion = Suggestion.word(for: word, among: known, within: 3)
    }
    return PredicateError(
      at: token.part, found: words(for: token), expected: expected, suggestion: suggestion)
  }

  private static func unexpected(_ character: Character) -> (String, String, String?) {
    let found = words(for: character)
    if Quotation.isQuotationMark(character) {
      return (found, "a straight quotation mark", Quotation.straight(character))
    }
    if Quotation.isHyphen(character) { return (found, "a plain hyphen", "-") }
    return (found, "a key path, a variable, a string, a number or an operator", nil)
  }

  private static func unknownVariable(
    _ name: String, _ known: [String]
  ) -> (String, String, String?) {
    let names = known.map { "`$\($0)`" }.joined(separator: ", ")
    return (
      "`$\(name)`", known.isEmpty ? "no variable outside of `SUBQUERY`" : "one of \(names)",
      Suggestion.word(for: name, among: known, within: 3).map { "$" + $0 }
    )
  }

  private static func words(for expectation: PredicateExpectation) -> String {
    expectation.words(in: dialect.noun)
  }

  /// Returns the words that describe a character in messages.
  ///
  /// - Parameter character: Nil for the end of the text.
  private static func words(for character: Character?) -> String {
    character.map { Quotation.words(for: $0) } ?? "the end of the \(dialect.noun)"
  }

  private static func words(for token: PredicateToken) -> String {
    switch token.kind {
    case .string(let text): "the string `\(PredicatePrinter.quoted(shortened(text)))`"
    case .integer(let number): "the number `\(number)`"
    case .word, .variable, .real, .function, .operation, .symbol, .end:
      token.words(in: dialect.noun)
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(40) + "…" : text
  }

  private static func known(_ expectation: PredicateExpectation) -> [String] {
    switch expectation {
    case .clause:
      [
        "NOT", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "extensionItems", "ANY", "ALL",
        "NONE", "SOME",
      ]
    case .quantified, .value, .collection: ["SUBQUERY", "extensionItems"]
    case .end, .groupEnd: ["AND", "OR"]
    case .comparator: dialect.operators.map(\.rawValue).filter { $0.count > 1 }
    case .key, .optionLetters, .optionsEnd, .negated, .element, .listEnd, .subqueryStart,
      .collectionEnd, .variable, .variableEnd, .subqueryEnd:
      []
    }
  }
}
