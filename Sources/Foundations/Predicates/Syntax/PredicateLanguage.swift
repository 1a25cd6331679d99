/// A language of predicates for the engine: the operands beside literals, variables and `SUBQUERY`, the permitted
/// comparisons, and the words of messages.
package protocol PredicateLanguage: Sendable {
  /// The reason why a text is no predicate of the language.
  associatedtype Failure: Error
  associatedtype Operand: PredicateOperand where Operand.Language == Self
  /// The facts about the elements of a collection when a predicate is read.
  associatedtype Element: Sendable, Equatable
  /// A comparison of two operands, prepared for evaluation.
  associatedtype Comparison: Sendable, Equatable

  /// The notation of the language.
  static var dialect: PredicateDialect { get }

  /// The fault in words.
  static func failure(_ fault: PredicateFault) -> Failure

  /// Reads a function that begins with `@`; nil where there is none, and `@` is a symbol.
  ///
  /// - Throws: the language's failure where a function begins and is malformed.
  static func function(
    _ lexer: inout PredicateLexer<Self>
  ) throws(Failure) -> PredicateToken.Kind?

  /// Reads an operand of the language's own; nil where none begins.
  ///
  /// - Throws: the language's failure where an operand begins and is malformed.
  static func operand(_ parser: inout PredicateParser<Self>) throws(Failure) -> Operand?

  /// Reads the key after the `.` that follows an operand.
  ///
  /// - Throws: the language's failure where there is no key, or the operand has none.
  static func key(
    of operand: PredicateExpression<Self>, _ parser: inout PredicateParser<Self>
  ) throws(Failure) -> Operand

  /// The element of the collection that `SUBQUERY` goes through.
  ///
  /// - Throws: the language's failure where the operand is no collection.
  static func element(of collection: PredicateExpression<Self>) throws(Failure) -> Element

  /// Checks that the literals of a list may stand beside each other.
  ///
  /// - Throws: the language's failure where they may not.
  static func check(
    _ element: PredicateExpression<Self>, beside first: PredicateExpression<Self>,
    at token: PredicateToken
  ) throws(Failure)

  /// Checks that the quantifier may stand before the operand.
  ///
  /// - Throws: the language's failure where it may not.
  static func check(
    _ quantifier: PredicateQuantifier, before operand: PredicateExpression<Self>
  ) throws(Failure)

  /// Reads the options after an operator.
  ///
  /// - Throws: the language's failure where they are malformed, or the operator takes none.
  static func options(
    of comparator: PredicateOperator, at place: SourcePart, _ parser: inout PredicateParser<Self>
  ) throws(Failure) -> TextOptions

  /// Prepares a comparison.
  ///
  /// - Parameter place: the operator's place.
  /// - Throws: the language's failure where the operands cannot be compared so.
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

/// An operand of a language. The engine reads the following kinds itself.
package protocol PredicateOperand: Sendable, Equatable {
  associatedtype Language: PredicateLanguage

  /// A string or a number.
  static func literal(_ value: PredicateValue) -> Self
  /// A list in braces.
  static func list(_ elements: [PredicateExpression<Language>]) -> Self
  /// The variable of a subquery.
  static func variable(_ variable: PredicateVariable<Language>) -> Self
  /// A subquery.
  static func subquery(_ subquery: PredicateSubquery<Language>) -> Self
}
