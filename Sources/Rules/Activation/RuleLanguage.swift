internal import Predicates

/// The language of activation rules: predicates on extension items, their attachments, and the attachments' types.
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
      .beginsWith, .endsWith, .contains, .like, .matches, .isIn,
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
        expected: "a string after `\(comparator.rawValue)`, which ignores case as it is")
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
