/// Two operands and the relation between them.
package struct PredicateComparison<Language: PredicateLanguage>: Sendable, Equatable {
  /// The quantifier; nil where the left side is compared as it is.
  package var quantifier: PredicateQuantifier?
  package var left: PredicateExpression<Language>
  package var comparator: PredicateOperator
  package var options: TextOptions
  package var right: PredicateExpression<Language>
}

/// The number of elements on the left for which the comparison must hold.
package enum PredicateQuantifier: String, Sendable, CaseIterable {
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case no = "NONE"
}
