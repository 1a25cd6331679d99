internal import Predicates

/// The predicates of activations: the part of NSPredicate's language that declarative management documents.
enum ConditionLanguage: PredicateLanguage {
  typealias Failure = ConditionError
  typealias Operand = ConditionOperand
  typealias Comparison = PredicateComparison<ConditionLanguage>

  /// The kind of an element, unknown here: values have their kinds on the device alone.
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
  /// Whether `[c]` and `[d]` may follow.
  fileprivate var hasOptions: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .conformsTo, .typeEquals: false
    case .equal, .notEqual, .beginsWith, .endsWith, .contains, .isIn, .like, .matches: true
    }
  }
}
