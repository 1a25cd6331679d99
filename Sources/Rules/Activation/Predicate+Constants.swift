extension Predicate {
  /// Whether `TRUEPREDICATE`, or for false `FALSEPREDICATE`, stands anywhere in it.
  package func states(_ constant: Bool) -> Bool { root.states(constant) }
}

extension Clause {
  fileprivate func states(_ constant: Bool) -> Bool {
    switch kind {
    case .constant(let holds): holds == constant
    case .not(let clause): clause.states(constant)
    case .all(let clauses), .any(let clauses): clauses.contains { $0.states(constant) }
    case .comparison(let comparison):
      comparison.left.states(constant) || comparison.right.states(constant)
    }
  }
}

extension Expression {
  fileprivate func states(_ constant: Bool) -> Bool {
    switch kind {
    case .subquery(let subquery):
      subquery.collection.states(constant) || subquery.predicate.states(constant)
    case .count(let inner), .attachments(let inner), .types(let inner): inner.states(constant)
    case .list(let elements): elements.contains { $0.states(constant) }
    case .number, .text, .items, .variable: false
    }
  }
}
