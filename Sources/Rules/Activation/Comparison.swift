internal import Predicates
internal import UniformTypes

/// A comparison in an activation rule, prepared for evaluation.
struct Comparison: Sendable, Equatable {
  typealias Comparator = PredicateOperator
  typealias Quantifier = PredicateQuantifier

  private let parsed: PredicateComparison<RuleLanguage>
  let shape: Shape
  /// The test of the left operand, prepared from the right operand; nil if both operands are needed for each
  /// evaluation.
  let test: Test?
  /// The result, if it does not depend on the shared items or on the app's types; otherwise nil.
  private(set) var outcome: Bool?

  var quantifier: Quantifier? { parsed.quantifier }
  var left: Expression { parsed.left }
  var comparator: Comparator { parsed.comparator }
  var options: TextOptions { parsed.options }
  var right: Expression { parsed.right }

  /// Prepares a parsed comparison.
  ///
  /// - Precondition: The operator can compare the two operands.
  /// - Throws: ``PredicateError`` if the right operand of `MATCHES` is not a regular expression, or if literals take
  ///   too long to compare.
  init(_ parsed: PredicateComparison<RuleLanguage>) throws(PredicateError) {
    self.parsed = parsed
    shape = Shape(parsed.comparator, left: parsed.comparedKind, right: parsed.right.valueKind)
    test = try Test(parsed, shape)
    guard isOfLiterals else { return }
    var evaluator = Evaluator(Program(), ResolvedItems([], types: .system))
    let outcome = evaluator.holds(self)
    guard !evaluator.budget.isExhausted else {
      throw PredicateError(
        at: left.part, found: "a comparison that takes too long",
        expected: "shorter strings around `\(comparator.rawValue)`")
    }
    self.outcome = outcome
  }

  static func == (left: Comparison, right: Comparison) -> Bool { left.parsed == right.parsed }

  /// A test of the left operand, which is a string. The test is prepared from the right operand.
  enum Test: Sendable {
    case text(TextTest)
    case pattern(Pattern)
    /// The string equals an element of the set.
    case list(Set<FoldedText>)
    /// The string satisfies both tests, one for each bound of `BETWEEN`.
    case bounds(TextTest, TextTest)
  }

  /// The kinds of values that the two operands have.
  enum Shape: Sendable {
    case numbers
    /// A string and a string; with a quantifier, a list of strings and a string.
    case texts
    case textInList
    case numberInList
    case textBetween
    case numberBetween
    case listHasText
    case listHasNumber

    init(_ comparator: Comparator, left: ValueKind, right: ValueKind) {
      self =
        switch comparator {
        case .isIn:
          switch right {
          case .texts: .textInList
          case .numbers: .numberInList
          case .items, .item, .attachments, .attachment, .text, .number: .texts
          }
        case .contains:
          switch left {
          case .texts: .listHasText
          case .numbers: .listHasNumber
          case .items, .item, .attachments, .attachment, .text, .number: .texts
          }
        case .between: left == .number ? .numberBetween : .textBetween
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
          left == .number ? .numbers : .texts
        case .beginsWith, .endsWith, .like, .matches, .conformsTo, .typeEquals: .texts
        }
    }
  }

  /// Whether the result depends neither on the shared items nor on the app's types. `UTI-CONFORMS-TO` always depends on
  /// the types that the app declares.
  private var isOfLiterals: Bool {
    comparator != .conformsTo && left.isLiteral && right.isLiteral
  }
}

extension Comparison.Test {
  /// Prepares a test from the right operand. Returns nil if this operand is not a literal, or if the comparison needs
  /// no test.
  fileprivate init?(
    _ parsed: PredicateComparison<RuleLanguage>, _ shape: Comparison.Shape
  ) throws(PredicateError) {
    switch parsed.comparator {
    case .matches:
      self = .pattern(try Self.pattern(of: parsed.right, options: parsed.options))
    case .conformsTo, .typeEquals: return nil
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith,
      .contains, .isIn, .like, .between:
      switch shape {
      case .texts:
        guard case .text(let literal) = parsed.right.kind else { return nil }
        self = .text(TextTest(parsed.comparator, literal.text, parsed.options))
      case .textInList:
        guard case .list(let elements) = parsed.right.kind else { return nil }
        self = .list(Set(elements.compactMap(\.text).map { FoldedText($0, parsed.options) }))
      case .textBetween:
        guard case .list(let elements) = parsed.right.kind else { return nil }
        let bounds = elements.compactMap(\.text)
        self = .bounds(
          TextTest(.greaterOrEqual, bounds[0], parsed.options),
          TextTest(.lessOrEqual, bounds[1], parsed.options))
      case .numbers, .numberInList, .numberBetween, .listHasText, .listHasNumber: return nil
      }
    }
  }

  private static func pattern(
    of expression: Expression, options: TextOptions
  ) throws(PredicateError) -> Pattern {
    guard case .text(let literal) = expression.kind else {
      throw PredicateError(
        at: expression.part, found: "another operand",
        expected: "a string in quotes on the right of `MATCHES`")
    }
    do {
      return try Pattern(literal.text, options: options)
    } catch {
      throw PredicateError(
        at: expression.part, found: error.message, expected: "a regular expression")
    }
  }
}

extension Expression {
  /// The string, if the expression is a string literal; nil for any other expression.
  fileprivate var text: String? { if case .text(let literal) = kind { literal.text } else { nil } }

  fileprivate var isLiteral: Bool {
    switch kind {
    case .number, .text, .list: true
    case .items, .variable, .attachments, .types, .subquery, .count: false
    }
  }
}
