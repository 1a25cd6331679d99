/// A part of a predicate that holds or fails. Equal where the structure is, wherever it stands.
package struct Clause: Sendable, Equatable {
  package var kind: Kind
  package var part: SourcePart

  package indirect enum Kind: Sendable, Equatable {
    case constant(Bool)
    case not(Clause)
    /// Two or more; none of them is itself `all` without having had parentheses.
    case all([Clause])
    case any([Clause])
    case comparison(Comparison)
  }

  package static func == (left: Clause, right: Clause) -> Bool { left.kind == right.kind }
}
