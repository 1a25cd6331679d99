/// A part of a predicate that holds or fails. Equal where the structure is, wherever it stands.
package struct PredicateClause<Language: PredicateLanguage>: Sendable, Equatable {
  package var kind: Kind
  package var part: SourcePart

  package indirect enum Kind: Sendable, Equatable {
    case constant(Bool)
    case not(PredicateClause)
    /// Two or more; none of them is itself `all` without having had parentheses.
    case all([PredicateClause])
    case any([PredicateClause])
    case comparison(Language.Comparison)
  }

  package init(kind: Kind, part: SourcePart) {
    self.kind = kind
    self.part = part
  }

  package static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }
}
