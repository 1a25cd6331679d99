/// Compares two values of any kind in the manner of NSPredicate. Null equals only null, and is neither
/// smaller nor greater than any value.
package struct ValueComparison {
  private let options: TextOptions

  package init(options: TextOptions) { self.options = options }

  /// Returns whether the operator holds between the two values.
  ///
  /// - Precondition: The operator compares neither types nor regular expressions.
  /// - Throws: ``PredicateEvaluationError`` if the operator does not apply to the kinds of the two values.
  package func holds(
    _ left: PredicateValue, _ comparator: PredicateOperator, _ right: PredicateValue,
    _ budget: inout WorkBudget
  ) throws(PredicateEvaluationError) -> Bool {
    switch comparator {
    case .between: return try isBetween(left, right, &budget)
    case .equal: return areEqual(left, right, &budget)
    case .notEqual: return !areEqual(left, right, &budget)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return try isOrdered(left, comparator, right, &budget)
    case .isIn: return try contains(right, left, comparator, &budget)
    case .contains: return try contains(left, right, comparator, &budget)
    case .beginsWith, .endsWith, .like: return try isText(left, comparator, right, &budget)
    case .matches, .conformsTo, .typeEquals:
      preconditionFailure("the evaluator handles this operator itself")
    }
  }

  private func areEqual(_ left: PredicateValue, _ right: PredicateValue, _ budget: inout WorkBudget)
    -> Bool
  {
    switch left {
    case .string(let left):
      guard case .string(let right) = right else { return false }
      return TextTest.holds(left, .equal, right, options, &budget)
    case .array(let left):
      guard case .array(let right) = right, left.count == right.count else { return false }
      for (left, right) in zip(left, right) where !areEqual(left, right, &budget) { return false }
      return true
    case .integer(let integer):
      if case .integer(let right) = right { return integer == right }
      return left.number == right.number
    case .boolean, .real: return left.number == right.number
    case .null, .dictionary: return left == right
    }
  }

  /// Returns whether an ordering operator holds between the two values; false if either value is null.
  private func isOrdered(
    _ left: PredicateValue, _ comparator: PredicateOperator, _ right: PredicateValue,
    _ budget: inout WorkBudget
  ) throws(PredicateEvaluationError) -> Bool {
    if left == .null || right == .null { return false }
    if case .integer(let left) = left, case .integer(let right) = right {
      return comparator.holds(left, right)
    }
    if let left = left.number, let right = right.number { return comparator.holds(left, right) }
    guard case .string(let first) = left, case .string(let second) = right else {
      throw PredicateEvaluationError("\(left.noun) and \(right.noun) cannot be ordered")
    }
    return TextTest.holds(first, comparator, second, options, &budget)
  }

  private func contains(
    _ whole: PredicateValue, _ part: PredicateValue, _ comparator: PredicateOperator,
    _ budget: inout WorkBudget
  ) throws(PredicateEvaluationError) -> Bool {
    switch whole {
    case .null: return false
    case .array(let elements):
      for element in elements where areEqual(element, part, &budget) { return true }
      return false
    case .string(let text):
      switch part {
      case .null: return false
      case .string(let part): return TextTest.holds(text, .contains, part, options, &budget)
      case .boolean, .integer, .real, .array, .dictionary:
        throw Self.holdsNothing(whole, part, comparator)
      }
    case .boolean, .integer, .real, .dictionary: throw Self.holdsNothing(whole, part, comparator)
    }
  }

  private static func holdsNothing(
    _ whole: PredicateValue, _ part: PredicateValue, _ comparator: PredicateOperator
  ) -> PredicateEvaluationError {
    let (left, right) = comparator == .isIn ? (part, whole) : (whole, part)
    return PredicateEvaluationError(
      "`\(comparator.rawValue)` takes an array or two strings, found \(left.noun) and \(right.noun)"
    )
  }

  private func isText(
    _ left: PredicateValue, _ comparator: PredicateOperator, _ right: PredicateValue,
    _ budget: inout WorkBudget
  ) throws(PredicateEvaluationError) -> Bool {
    if left == .null || right == .null { return false }
    guard case .string(let first) = left, case .string(let second) = right else {
      throw PredicateEvaluationError(
        "`\(comparator.rawValue)` takes two strings, found \(left.noun) and \(right.noun)")
    }
    return TextTest.holds(first, comparator, second, options, &budget)
  }

  private func isBetween(
    _ value: PredicateValue, _ bounds: PredicateValue, _ budget: inout WorkBudget
  ) throws(PredicateEvaluationError) -> Bool {
    guard case .array(let bounds) = bounds, bounds.count == 2 else {
      throw PredicateEvaluationError("`BETWEEN` takes two values in braces")
    }
    guard try isOrdered(value, .greaterOrEqual, bounds[0], &budget) else { return false }
    return try isOrdered(value, .lessOrEqual, bounds[1], &budget)
  }
}

// MARK: - Values

package enum PredicateValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A finite number.
  case real(Double)
  case string(String)
  case array([PredicateValue])
  case dictionary([String: PredicateValue])

  /// The noun for the value's kind in messages, with its article; `nothing` for null.
  package var noun: String {
    switch self {
    case .null: "nothing"
    case .boolean: "a boolean"
    case .integer, .real: "a number"
    case .string: "a string"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }

  /// The value as a number; nil if it is not a number. As in NSNumber, a Boolean counts as 0 or 1.
  package var number: Double? {
    switch self {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .string, .array, .dictionary: nil
    }
  }

  /// The cost of visiting the value: the number of values that it consists of, including itself. The cost of comparing
  /// strings is not included.
  package var weight: Int {
    switch self {
    case .array(let values): values.reduce(1) { $0 + $1.weight }
    case .dictionary(let values): values.values.reduce(1) { $0 + $1.weight }
    case .null, .boolean, .integer, .real, .string: 1
    }
  }
}

/// The reason why a predicate cannot be evaluated: it compares incompatible values.
package struct PredicateEvaluationError: Error, Sendable, Equatable {
  /// The message, in lower case, without full stop.
  package var message: String

  package init(_ message: String) { self.message = message }
}
