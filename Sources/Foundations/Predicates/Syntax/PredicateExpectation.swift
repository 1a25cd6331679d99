/// What may stand where something else does.
package enum PredicateExpectation: Sendable, Equatable {
  /// An operand, or all that a clause may begin with.
  case clause
  /// The operand after `ANY` and its like.
  case quantified
  /// The operand after an operator.
  case value
  /// The operand that `SUBQUERY` goes through.
  case collection
  /// Behind a predicate: of the whole text, and in brackets.
  case end, groupEnd
  /// Behind an operand in brackets.
  case bracketEnd
  case comparator
  /// What stands behind `.`.
  case key
  case optionLetters, optionsEnd
  /// The number behind `-`.
  case negated
  /// What a list of literals holds.
  case element
  case listEnd
  case subqueryStart, collectionEnd, variable, variableEnd, subqueryEnd

  /// What messages call it where a language has no words of its own.
  ///
  /// - Parameter noun: what they call the whole predicate.
  package func words(in noun: String) -> String {
    switch self {
    case .clause: "a comparison, `NOT`, `TRUEPREDICATE`, `FALSEPREDICATE` or `(`"
    case .quantified, .collection: "a key path to a list"
    case .value: "a string, a number or a key path"
    case .end: "`AND`, `OR` or the end of the \(noun)"
    case .groupEnd: "`AND`, `OR` or `)`"
    case .bracketEnd: "`)` after the value in brackets"
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
