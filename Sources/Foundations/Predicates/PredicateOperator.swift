/// An operator between two operands, as it is spelled.
package enum PredicateOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case isIn = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case between = "BETWEEN"
  case conformsTo = "UTI-CONFORMS-TO"
  case typeEquals = "UTI-EQUALS"
}

extension PredicateOperator {
  /// The operators that are written in signs, in every spelling.
  private static let signs: [String: PredicateOperator] = [
    "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  /// The operator of a token; nil for a token that is no operator.
  static func named(_ token: PredicateToken) -> PredicateOperator? {
    switch token.kind {
    case .symbol(let symbol): signs[symbol]
    case .word(let word): PredicateOperator(rawValue: word.uppercased())
    case .variable, .string, .integer, .real, .function, .operation, .end: nil
    }
  }

  /// Whether the relation holds of two values.
  ///
  /// - Precondition: the operator is one that orders.
  package func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .beginsWith, .endsWith, .contains, .isIn, .like, .matches, .between, .conformsTo,
      .typeEquals:
      preconditionFailure("the operator does not order values")
    }
  }
}
