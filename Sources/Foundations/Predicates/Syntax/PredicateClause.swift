/// A part of a predicate that holds or fails. Clauses are equal where their structure is, whatever their places.
package struct PredicateClause<Language: PredicateLanguage>: Sendable, Equatable {
  package var kind: Kind
  package var part: SourcePart

  /// The structure of a clause.
  package indirect enum Kind: Sendable, Equatable {
    case constant(Bool)
    case not(PredicateClause)
    /// Two or more clauses; none of them is itself `all` unless it had parentheses.
    case all([PredicateClause])
    case any([PredicateClause])
    case comparison(Language.Comparison)
  }

  /// A clause at `part`.
  package init(kind: Kind, part: SourcePart) {
    self.kind = kind
    self.part = part
  }

  package static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }
}
