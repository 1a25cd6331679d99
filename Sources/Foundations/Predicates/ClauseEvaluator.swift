/// Asks the clauses of a predicate, in the order in which they are written and as many as the answer needs. The
/// conforming type decides the comparisons.
package protocol ClauseEvaluator {
  associatedtype Language: PredicateLanguage
  /// The reason why a comparison has no answer.
  associatedtype Failure: Error

  /// Counts one more clause; false where the work is exhausted, so that the clause fails.
  ///
  /// - Throws: the failure of a predicate whose work is exhausted, where that is one.
  mutating func spendStep() throws(Failure) -> Bool

  /// Whether a comparison holds.
  ///
  /// - Throws: the failure of a comparison that has no answer.
  mutating func holds(_ comparison: Language.Comparison) throws(Failure) -> Bool
}

extension ClauseEvaluator {
  /// Whether a clause holds.
  ///
  /// - Throws: the failure of a comparison that was asked.
  package mutating func holds(
    _ clause: PredicateClause<Language>
  ) throws(Failure) -> Bool {
    guard try spendStep() else { return false }
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

/// The cost of asking a predicate, and its limit: the elements that were visited, and the characters
/// that were looked at, 64 for an element.
package struct Work: Sendable {
  /// The limit on elements that one predicate may visit. Nested subqueries visit as many as the product of their
  /// lists; no meaningful predicate comes near.
  package static let maximumElements = 100_000
  private static let charactersPerElement = 64

  private let limit: Int
  /// The cost so far in characters.
  package private(set) var steps = 0

  /// A cost of 0 with a limit of `limit` elements.
  package init(elements limit: Int = maximumElements) {
    self.limit = limit * Self.charactersPerElement
  }

  /// The cost so far in elements.
  package var elements: Int { steps / Self.charactersPerElement }

  /// Whether the limit was exceeded; the predicate's answer is meaningless then.
  package var isExhausted: Bool { steps > limit }

  /// Counts elements.
  package mutating func charge(elements count: Int) { steps += count * Self.charactersPerElement }

  /// Counts characters.
  package mutating func charge(characters count: Int) { steps += count }
}
