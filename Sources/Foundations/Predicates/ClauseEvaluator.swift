/// Asks the clauses of a predicate, in the order in which they are written and as many as the answer needs. What a
/// comparison comes to is its own.
package protocol ClauseEvaluator {
  associatedtype Language: PredicateLanguage
  /// Why a comparison has no answer.
  associatedtype Failure: Error

  /// Whether one more clause may be asked; one that may not fails.
  mutating func mayAsk() -> Bool

  mutating func holds(_ comparison: Language.Comparison) throws(Failure) -> Bool
}

extension ClauseEvaluator {
  package mutating func mayAsk() -> Bool { true }

  package mutating func holds(
    _ clause: PredicateClause<Language>
  ) throws(Failure) -> Bool {
    guard mayAsk() else { return false }
    switch clause.kind {
    case .constant(let holds): return holds
    case .not(let clause): return try !holds(clause)
    case .all(let clauses):
      for clause in clauses where try !holds(clause) { return false }
      return true
    case .any(let clauses):
      for clause in clauses where try holds(clause) { return true }
      return false
    case .comparison(let comparison): return try holds(comparison)
    }
  }
}
