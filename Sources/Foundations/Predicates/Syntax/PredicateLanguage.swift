/// What those who ask predicates bring to the engine: the operands beside literals, variables and `SUBQUERY`, what may
/// be compared with what, and how messages are put.
package protocol PredicateLanguage: Sendable {
  /// Why a text is no predicate of the language.
  associatedtype Failure: Error
  associatedtype Operand: PredicateOperand where Operand.Language == Self
  /// What is known of the elements of a collection when a predicate is read.
  associatedtype Element: Sendable, Equatable
  /// What is asked of two operands, with what was prepared for it.
  associatedtype Comparison: Sendable, Equatable

  static var dialect: PredicateDialect { get }

  /// The fault in words.
  static func failure(_ fault: PredicateFault) -> Failure

  /// Reads what begins with `@`, or leaves it; then `@` is a symbol.
  static func function(
    _ lexer: inout PredicateLexer<Self>
  ) throws(Failure) -> PredicateToken.Kind?

  /// Reads an operand of the language's own; nil where none begins.
  static func operand(_ parser: inout PredicateParser<Self>) throws(Failure) -> Operand?

  /// Reads what stands behind `.` after an operand.
  static func key(
    of operand: PredicateExpression<Self>, _ parser: inout PredicateParser<Self>
  ) throws(Failure) -> Operand

  /// What `SUBQUERY` goes through.
  static func element(of collection: PredicateExpression<Self>) throws(Failure) -> Element

  /// Whether the literals of a list may stand beside each other.
  static func check(
    _ element: PredicateExpression<Self>, beside first: PredicateExpression<Self>,
    at token: PredicateToken
  ) throws(Failure)

  /// Whether it may stand before that operand.
  static func check(
    _ quantifier: PredicateQuantifier, before operand: PredicateExpression<Self>
  ) throws(Failure)

  /// Reads the options behind an operator.
  static func options(
    of comparator: PredicateOperator, at place: SourcePart, _ parser: inout PredicateParser<Self>
  ) throws(Failure) -> TextOptions

  /// - Parameter place: the operator's.
  static func comparison(
    _ comparison: PredicateComparison<Self>, at place: SourcePart
  ) throws(Failure) -> Comparison
}

extension PredicateLanguage {
  package static func function(
    _ lexer: inout PredicateLexer<Self>
  ) throws(Failure) -> PredicateToken.Kind? { nil }

  package static func check(
    _ element: PredicateExpression<Self>, beside first: PredicateExpression<Self>,
    at token: PredicateToken
  ) throws(Failure) {}

  package static func check(
    _ quantifier: PredicateQuantifier, before operand: PredicateExpression<Self>
  ) throws(Failure) {}
}

/// What an operand of a language is. These the engine reads itself.
package protocol PredicateOperand: Sendable, Equatable {
  associatedtype Language: PredicateLanguage

  /// A string or a number.
  static func literal(_ value: PredicateValue) -> Self
  static func list(_ elements: [PredicateExpression<Language>]) -> Self
  static func variable(_ variable: PredicateVariable<Language>) -> Self
  static func subquery(_ subquery: PredicateSubquery<Language>) -> Self
}
