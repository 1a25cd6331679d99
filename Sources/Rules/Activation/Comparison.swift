package import Predicates

package struct Comparison: Sendable, Equatable {
  /// nil where the left side is a single value.
  package var quantifier: Quantifier?
  package var left: Expression
  package var comparator: Comparator
  package var options: TextOptions
  package var right: Expression
  var shape: Shape
  /// What a literal on the right was made into; nil for another operand.
  var test: Test?
  /// What the comparison comes to, where it is of literals alone and knows no types.
  var outcome: Bool?

  /// Asks strings on the left.
  enum Test: Sendable {
    case text(TextTest)
    case pattern(Pattern)
    /// Any of these.
    case list(Set<FoldedText>)
  }

  package enum Quantifier: String, Sendable, CaseIterable {
    case any = "ANY"
    case some = "SOME"
    case all = "ALL"
    case no = "NONE"
  }

  package enum Comparator: String, Sendable, CaseIterable {
    case conformsTo = "UTI-CONFORMS-TO"
    case typeEquals = "UTI-EQUALS"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case isIn = "IN"
  }

  /// What is compared with what.
  enum Shape: Sendable {
    case numbers
    /// Two strings, or with a quantifier each of a list and a string.
    case texts
    case textInList
    case numberInList
    case listHasText
    case listHasNumber

    init(_ comparator: Comparator, left: ValueKind, right: ValueKind) {
      self =
        switch (comparator, left, right) {
        case (.isIn, _, .texts): .textInList
        case (.isIn, _, .numbers): .numberInList
        case (.contains, .numbers, _): .listHasNumber
        case (.contains, .texts, _): .listHasText
        case (_, .number, _): .numbers
        default: .texts
        }
    }
  }

  package static func == (left: Comparison, right: Comparison) -> Bool {
    left.quantifier == right.quantifier && left.left == right.left
      && left.comparator == right.comparator && left.options == right.options
      && left.right == right.right
  }
}

extension Comparison.Comparator {
  /// nil for those that need types or a pattern.
  var predicateOperator: PredicateOperator? {
    switch self {
    case .conformsTo, .typeEquals, .matches: nil
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .contains: .contains
    case .like: .like
    case .isIn: .isIn
    }
  }

  /// - Precondition: the operator is one on numbers.
  func holds(_ left: Int, _ right: Int) -> Bool {
    guard let comparator = predicateOperator else {
      preconditionFailure("the operator does not compare numbers")
    }
    return comparator.holds(left, right)
  }
}

extension Comparison {
  /// Whether it is the same whatever is shared. What conforms to what depends on the app's types.
  var isOfLiterals: Bool {
    comparator != .conformsTo && comparator != .typeEquals && left.isLiteral && right.isLiteral
  }
}

extension Expression {
  fileprivate var isLiteral: Bool {
    switch kind {
    case .number, .text, .list: true
    case .items, .variable, .attachments, .types, .subquery, .count: false
    }
  }
}
