/// A part of a predicate that has a value. Equal where the structure is, wherever it stands.
package struct PredicateExpression<Language: PredicateLanguage>: Sendable, Equatable {
  package var kind: Language.Operand
  package var part: SourcePart

  package init(kind: Language.Operand, part: SourcePart) {
    self.kind = kind
    self.part = part
  }

  package static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }
}

/// What a `SUBQUERY` names the elements that it goes through.
package struct PredicateVariable<Language: PredicateLanguage>: Sendable, Equatable {
  /// Without the dollar sign.
  package var name: String
  /// How many variables are around it.
  package var slot: Int
  package var kind: Language.Element
}

/// `SUBQUERY(collection, $variable, predicate)`: the elements for which the predicate holds.
package struct PredicateSubquery<Language: PredicateLanguage>: Sendable, Equatable {
  package var collection: PredicateExpression<Language>
  package var variable: PredicateVariable<Language>
  package var predicate: PredicateClause<Language>
}
