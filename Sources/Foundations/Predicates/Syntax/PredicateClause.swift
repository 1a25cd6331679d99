/// A part of a predicate with a truth value. Equality compares the structure and ignores positions.
package struct PredicateClause<Language: PredicateLanguage>: Sendable, Equatable {
  package var kind: Kind
  package var part: SourcePart

  package indirect enum Kind: Sendable, Equatable {
    case constant(Bool)
    case not(PredicateClause)
    /// Two or more clauses, joined by `AND`. If one of the clauses is itself an `all`, the source had parentheses
    /// around it.
    case all([PredicateClause])
    case any([PredicateClause])
    case comparison(Language.Comparison)
  }

  package init(kind: Kind, part: SourcePart) {
    self.kind = kind
    self.part = part
  }

  package static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }
}

/// A part of a predicate with a value. Equality compares the structure and ignores positions.
package struct PredicateExpression<Language: PredicateLanguage>: Sendable, Equatable {
  package var kind: Language.Operand
  package var part: SourcePart

  package init(kind: Language.Operand, part: SourcePart) {
    self.kind = kind
    self.part = part
  }

  package static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }
}

/// The variable that a `SUBQUERY` binds to each element.
package struct PredicateVariable<Language: PredicateLanguage>: Sendable, Equatable {
  /// The name without the dollar sign.
  package var name: String
  /// The variable's index, from 0: the number of subqueries that enclose the variable's subquery.
  package var slot: Int
  package var kind: Language.Element
}

/// `SUBQUERY(collection, $variable, predicate)`: the elements for which the predicate holds.
package struct PredicateSubquery<Language: PredicateLanguage>: Sendable, Equatable {
  package var collection: PredicateExpression<Language>
  package var variable: PredicateVariable<Language>
  package var predicate: PredicateClause<Language>
}

package struct PredicateComparison<Language: PredicateLanguage>: Sendable, Equatable {
  /// The quantifier of the left operand; nil if the operand is compared as a whole.
  package var quantifier: PredicateQuantifier?
  package var left: PredicateExpression<Language>
  package var comparator: PredicateOperator
  package var options: TextOptions
  package var right: PredicateExpression<Language>
}

/// The number of elements of the left operand for which the comparison must hold: at least one (`ANY`, `SOME`), all or
/// none.
package enum PredicateQuantifier: String, Sendable, CaseIterable {
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case no = "NONE"
}

// MARK: - Operators

/// An operator between two operands. The raw value is its spelling.
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

  /// The operators written as symbols, in every spelling.
  private static let signs: [String: PredicateOperator] = [
    "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  static func named(_ token: PredicateToken) -> PredicateOperator? {
    switch token.kind {
    case .symbol(let symbol): signs[symbol]
    case .word(let word): PredicateOperator(rawValue: word.uppercased())
    case .variable, .string, .integer, .real, .function, .operation, .end: nil
    }
  }

  /// Returns whether `left` and `right` satisfy the operator.
  ///
  /// - Precondition: The operator is an ordering operator or tests equality.
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
      preconditionFailure("only comparison operators, such as `<`, order values")
    }
  }
}

package struct SourcePart: Sendable {
  package var range: Range<String.Index>
  /// The line in which the part begins, from 1. CRLF counts as two line breaks in dialects that count scalars,
  /// otherwise as one. The column is in the dialect's units.
  package var line: Int
  package var column: Int
  /// The offset at which the part begins, from 0, in the dialect's units.
  package var offset: Int

  package func through(_ last: SourcePart) -> SourcePart {
    var part = self
    part.range = range.lowerBound..<last.range.upperBound
    return part
  }
}
