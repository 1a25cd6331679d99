/// Evaluates the clauses of a predicate from left to right, with short-circuiting. The conforming type
/// evaluates the comparisons.
package protocol ClauseEvaluator {
  associatedtype Language: PredicateLanguage
  /// The reason why a comparison cannot be evaluated.
  associatedtype Failure: Error

  /// Charges one clause to the work budget. Returns false if the budget is exhausted; the clause then counts as
  /// false.
  ///
  /// - Throws: ``Failure``, if exhaustion is an error for the conforming type.
  mutating func spendStep() throws(Failure) -> Bool

  mutating func holds(_ comparison: Language.Comparison) throws(Failure) -> Bool
}

extension ClauseEvaluator {
  /// Returns whether the clause is true; false if the work budget is exhausted.
  ///
  /// - Throws: ``Failure`` if a comparison cannot be evaluated, or exhaustion of the work budget is an error.
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

/// Adds up the cost of evaluating a predicate, and compares it with a limit. The units are visited elements and
/// processed characters; an element costs as much as 64 characters.
package struct WorkBudget: Sendable {
  /// The maximum number of elements that a predicate may visit, far more than meaningful predicates visit. It limits
  /// nested subqueries, which visit as many elements as the product of the sizes of their lists.
  package static let maximumElements = 100_000
  private static let charactersPerElement = 64

  private let limit: Int
  /// The cost so far, in characters.
  package private(set) var steps = 0

  /// Creates an unused budget.
  ///
  /// - Parameter limit: The maximum cost, in elements.
  package init(elements limit: Int = maximumElements) {
    self.limit = limit * Self.charactersPerElement
  }

  /// The cost so far, in elements.
  package var elements: Int { steps / Self.charactersPerElement }

  /// Whether the cost exceeds the limit. The predicate's result is then meaningless.
  package var isExhausted: Bool { steps > limit }

  package mutating func consume(elements count: Int) { steps += count * Self.charactersPerElement }

  package mutating func consume(characters count: Int) { steps += count }
}
