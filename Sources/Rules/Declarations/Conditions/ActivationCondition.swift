internal import Predicates

/// The predicate of an activation, read.
///
/// Of NSPredicate's language that what declarative management documents: `@status`, `@property`,
/// `@key`, `@count`, comparisons, `IN`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`, `BETWEEN`,
/// `ANY` and its like, `SUBQUERY`, `AND`, `OR`, `NOT`.
///
/// Sources: Apple, "Processing status for managed apps"; WWDC 2022, session 10046; Predicate
/// Programming Guide.
package struct ActivationCondition: Sendable {
  /// Bytes of UTF-8.
  package static let maximumLength = 16 << 10
  /// How deep brackets, `NOT` and subqueries may nest.
  package static let maximumDepth = 64

  /// A status item that a predicate asks for.
  package struct Reference: Sendable, Equatable {
    package var name: String
    /// Of the Unicode scalar in the predicate, from 0.
    package var offset: Int
  }

  /// As it was written.
  package let source: String
  /// In the order in which they are named.
  package let statusItems: [Reference]
  private let root: PredicateClause<ConditionLanguage>
  /// How many variables are visible at once at most.
  private let variableCount: Int

  package init(parsing source: String) throws(ConditionError) {
    var parser = try PredicateParser<ConditionLanguage>(source)
    root = try parser.predicate()
    self.source = source
    variableCount = parser.mostVariables
    statusItems = parser.tokens.compactMap { token in
      guard case .function("status", let name) = token.kind else { return nil }
      return Reference(name: name, offset: token.part.offset)
    }
  }

  /// Whether it holds on a device.
  ///
  /// An item or property that is not there is null: equal to null alone, and neither smaller nor
  /// greater than anything.
  ///
  /// - Throws: ``ConditionFailure`` where values are compared that have no order, and where the
  ///   work is more than a device would do.
  package func holds(
    items: StatusItems, properties: [String: StatusValue]
  ) throws(ConditionFailure) -> Bool {
    var evaluator = ConditionEvaluator(
      items: items, properties: properties, variables: variableCount)
    return try evaluator.holds(root)
  }
}
