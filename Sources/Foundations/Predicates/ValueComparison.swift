/// Compares two values of any kinds as NSPredicate does: null is equal to null alone, and neither smaller nor
/// greater than anything.
package struct ValueComparison {
  private let options: TextOptions

  /// A comparison with `options` for strings.
  package init(options: TextOptions) { self.options = options }

  /// Whether the relation holds of two values.
  ///
  /// - Precondition: the operator needs no types and no regular expression.
  /// - Throws: ``PredicateFailure`` where the two values have no such relation.
  package func holds(
    _ left: PredicateValue, _ comparator: PredicateOperator, _ right: PredicateValue,
    _ work: inout Work
  ) throws(PredicateFailure) -> Bool {
    switch comparator {
    case .between: return try isBetween(left, right, &work)
    case .equal: return areEqual(left, right, &work)
    case .notEqual: return !areEqual(left, right, &work)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return try isOrdered(left, comparator, right, &work)
    case .isIn: return try contains(right, left, comparator, &work)
    case .contains: return try contains(left, right, comparator, &work)
    case .beginsWith, .endsWith, .like: return try isText(left, comparator, right, &work)
    case .matches, .conformsTo, .typeEquals:
      preconditionFailure("the operator does not compare values alone")
    }
  }

  private func areEqual(_ left: PredicateValue, _ right: PredicateValue, _ work: inout Work) -> Bool
  {
    switch left {
    case .string(let left):
      guard case .string(let right) = right else { return false }
      return TextTest.holds(left, .equal, right, options, &work)
    case .array(let left):
      guard case .array(let right) = right, left.count == right.count else { return false }
      for (left, right) in zip(left, right) where !areEqual(left, right, &work) { return false }
      return true
    case .integer(let integer):
      if case .integer(let right) = right { return integer == right }
      return left.number == right.number
    case .boolean, .real: return left.number == right.number
    case .null, .dictionary: return left == right
    }
  }

  /// Whether an ordering relation holds; false where one of the values is null.
  private func isOrdered(
    _ left: PredicateValue, _ comparator: PredicateOperator, _ right: PredicateValue,
    _ work: inout Work
  ) throws(PredicateFailure) -> Bool {
    if left == .null || right == .null { return false }
    if case .integer(let left) = left, case .integer(let right) = right {
      return comparator.holds(left, right)
    }
    if let left = left.number, let right = right.number { return comparator.holds(left, right) }
    guard case .string(let first) = left, case .string(let second) = right else {
      throw PredicateFailure("\(left.noun) and \(right.noun) have no order")
    }
    return TextTest.holds(first, comparator, second, options, &work)
  }

  private func contains(
    _ whole: PredicateValue, _ part: PredicateValue, _ comparator: PredicateOperator,
    _ work: inout Work
  ) throws(PredicateFailure) -> Bool {
    switch whole {
    case .null: return false
    case .array(let elements):
      for element in elements where areEqual(element, part, &work) { return true }
      return false
    case .string(let text):
      switch part {
      case .null: return false
      case .string(let part): return TextTest.holds(text, .contains, part, options, &work)
      case .boolean, .integer, .real, .array, .dictionary:
        throw Self.holdsNothing(whole, comparator)
      }
    case .boolean, .integer, .real, .dictionary: throw Self.holdsNothing(whole, comparator)
    }
  }

  private static func holdsNothing(
    _ whole: PredicateValue, _ comparator: PredicateOperator
  ) -> PredicateFailure {
    PredicateFailure("`\(comparator.rawValue)` takes an array or two strings, found \(whole.noun)")
  }

  private func isText(
    _ left: PredicateValue, _ comparator: PredicateOperator, _ right: PredicateValue,
    _ work: inout Work
  ) throws(PredicateFailure) -> Bool {
    if left == .null || right == .null { return false }
    guard case .string(let first) = left, case .string(let second) = right else {
      throw PredicateFailure(
        "`\(comparator.rawValue)` takes two strings, found \(left.noun) and \(right.noun)")
    }
    return TextTest.holds(first, comparator, second, options, &work)
  }

  private func isBetween(
    _ value: PredicateValue, _ bounds: PredicateValue, _ work: inout Work
  ) throws(PredicateFailure) -> Bool {
    guard case .array(let bounds) = bounds, bounds.count == 2 else {
      throw PredicateFailure("`BETWEEN` takes two values in braces")
    }
    guard try isOrdered(value, .greaterOrEqual, bounds[0], &work) else { return false }
    return try isOrdered(value, .lessOrEqual, bounds[1], &work)
  }
}
