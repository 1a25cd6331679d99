/// An operator between two values.
package enum PredicateOperator: Sendable, Hashable, CaseIterable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case beginsWith, endsWith, contains, isIn, like
}

extension PredicateOperator {
  /// - Precondition: the operator is one that orders.
  package func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .beginsWith, .endsWith, .contains, .isIn, .like:
      preconditionFailure("the operator does not order values")
    }
  }
}
