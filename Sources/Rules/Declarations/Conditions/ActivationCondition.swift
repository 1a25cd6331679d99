internal import Predicates

/// The parsed predicate of an activation.
///
/// The part of NSPredicate's language that declarative management documents: `@status`, `@property`,
/// `@key`, `@count`, comparisons, `IN`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`, `BETWEEN`,
/// `ANY` and the other quantifiers, `SUBQUERY`, `AND`, `OR`, `NOT`.
///
/// Sources: Apple, "Processing status for managed apps"; WWDC 2022, session 10046; Predicate
/// Programming Guide.
package struct ActivationCondition: Sendable {
  /// The maximum length of a predicate, in bytes of UTF-8.
  package static let maximumLength = 16 << 10
  /// The maximum depth of nested brackets, `NOT` and subqueries.
  package static let maximumDepth = 64

  /// A status item that a predicate asks for.
  package struct Reference: Sendable, Equatable {
    package var name: String
    /// The offset of the Unicode scalar in the predicate where the item is named, from 0.
    package var offset: Int
  }

  /// The predicate as it was written.
  package let source: String
  /// The status items in the order in which the predicate names them.
  package let statusItems: [Reference]
  private let root: PredicateClause<ConditionLanguage>
  /// The maximum number of variables that are visible at once.
  private let variableCount: Int

  /// Parses a predicate.
  ///
  /// - Throws: ``ConditionError`` where the text is no predicate that an activation can have here.
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

  /// Whether the predicate holds on a device.
  ///
  /// An item or property that the device lacks is null: equal to null alone, and neither smaller nor
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
