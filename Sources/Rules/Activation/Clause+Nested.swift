internal import Predicates

extension Clause {
  /// The clause and all clauses within it, those of subqueries too.
  var nested: [Clause] {
    switch kind {
    case .constant: [self]
    case .not(let inner): [self] + inner.nested
    case .all(let clauses), .any(let clauses): [self] + clauses.flatMap(\.nested)
    case .comparison(let comparison): [self] + comparison.left.clauses + comparison.right.clauses
    }
  }
}

extension Expression {
  fileprivate var clauses: [Clause] {
    switch kind {
    case .subquery(let subquery): subquery.collection.clauses + subquery.predicate.nested
    case .count(let inner), .attachments(let inner), .types(let inner): inner.clauses
    case .list, .number, .text, .items, .variable: []
    }
  }
}

extension Predicate {
  /// Whether `TRUEPREDICATE`, or for false `FALSEPREDICATE`, stands anywhere in the predicate.
  package func states(_ constant: Bool) -> Bool {
    root.nested.contains { $0.kind == .constant(constant) }
  }
}
