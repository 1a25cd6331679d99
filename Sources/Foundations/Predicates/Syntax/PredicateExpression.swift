/// A part of a predicate that has a value. Expressions are equal where their structure is, whatever their places.
package struct PredicateExpression<Language: PredicateLanguage>: Sendable, Equatable {
  package var kind: Language.Operand
  package var part: SourcePart

  /// An expression at `part`.
  package init(kind: Language.Operand, part: SourcePart) {
    self.kind = kind
    self.part = part
  }

  package static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }
}

/// The variable by which a `SUBQUERY` names the elements that it goes through.
package struct PredicateVariable<Language: PredicateLanguage>: Sendable, Equatable {
  /// The name without the dollar sign.
  package var name: String
  /// The number of variables around this one.
  package var slot: Int
  package var kind: Language.Element
}

/// `SUBQUERY(collection, $variable, predicate)`: the elements for which the predicate holds.
package struct PredicateSubquery<Language: PredicateLanguage>: Sendable, Equatable {
  package var collection: PredicateExpression<Language>
  package var variable: PredicateVariable<Language>
  package var predicate: PredicateClause<Language>
}
