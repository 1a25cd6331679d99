/// The parts of a predicate that may stand where another was found.
package enum PredicateExpectation: Sendable, Equatable {
  /// An operand, or any other beginning of a clause.
  case clause
  /// The operand after `ANY` and its like.
  case quantified
  /// The operand after an operator.
  case value
  /// The collection that `SUBQUERY` goes through.
  case collection
  /// The end of a predicate: of the whole text, and in brackets.
  case end, groupEnd
  case comparator
  /// The key after `.`.
  case key
  case optionLetters, optionsEnd
  /// The number after `-`.
  case negated
  /// An element of a list of literals.
  case element
  case listEnd
  case subqueryStart, collectionEnd, variable, variableEnd, subqueryEnd

  /// The words by which messages call the part where a language has no words of its own.
  ///
  /// - Parameter noun: the noun for the whole predicate.
  package func words(in noun: String) -> String {
    switch self {
    case .clause: "a comparison, `NOT`, `TRUEPREDICATE`, `FALSEPREDICATE` or `(`"
    case .quantified, .collection: "a key path to a list"
    case .value: "a string, a number or a key path"
    case .end: "`AND`, `OR` or the end of the \(noun)"
    case .groupEnd: "`AND`, `OR` or `)`"
    case .comparator: "a comparison operator"
    case .key: "a key or `@count` after `.`"
    case .optionLetters: "`c`, `d` or `cd`"
    case .optionsEnd: "`]` after the options"
    case .negated: "a number after `-`"
    case .element: "a string or a number"
    case .listEnd: "`}` after the last element"
    case .subqueryStart: "`(` after `SUBQUERY`"
    case .collectionEnd: "`,` after the list"
    case .variable: "a variable, such as `$item`"
    case .variableEnd: "`,` after the variable"
    case .subqueryEnd: "`)` after the predicate of `SUBQUERY`"
    }
  }
}
