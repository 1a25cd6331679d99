internal import Predicates

/// Compares two values as NSPredicate does.
struct ValueComparison {
  let options: TextOptions

  /// - Throws: ``ConditionFailure`` where the two have no such relation.
  func holds(
    _ left: StatusValue, _ relation: ConditionComparison.Relation, _ right: StatusValue,
    _ work: inout Work
  ) throws(ConditionFailure) -> Bool {
    guard case .comparing(let comparator) = relation else {
      return try isBetween(left, right, &work)
    }
    switch comparator {
    case .equal: return areEqual(left, right, &work)
    case .notEqual: return !areEqual(left, right, &work)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return try isOrdered(left, comparator, right, &work)
    case .isIn: return try contains(right, left, "`IN`", &work)
    case .contains: return try contains(left, right, "`CONTAINS`", &work)
    case .beginsWith: return try isText(left, comparator, right, "`BEGINSWITH`", &work)
    case .endsWith: return try isText(left, comparator, right, "`ENDSWITH`", &work)
    case .like: return try isText(left, comparator, right, "`LIKE`", &work)
    }
  }

  private func areEqual(_ left: StatusValue, _ right: StatusValue, _ work: inout Work) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)):
      return TextTest.holds(left, .equal, right, options, &work)
    case (.integer(let left), .integer(let right)): return left == right
    case (.array(let left), .array(let right)):
      guard left.count == right.count else { return false }
      for (left, right) in zip(left, right) where !areEqual(left, right, &work) { return false }
      return true
    default:
      if let left = left.number, let right = right.number { return left == right }
      return left == right
    }
  }

  /// False where one of them is null.
  private func isOrdered(
    _ left: StatusValue, _ comparator: PredicateOperator, _ right: StatusValue,
    _ work: inout Work
  ) throws(ConditionFailure) -> Bool {
    if left == .null || right == .null { return false }
    if case .integer(let left) = left, case .integer(let right) = right {
      return comparator.holds(left, right)
    }
    if let left = left.number, let right = right.number { return comparator.holds(left, right) }
    guard case .string(let first) = left, case .string(let second) = right else {
      throw ConditionFailure("\(left.noun) and \(right.noun) have no order")
    }
    return TextTest.holds(first, comparator, second, options, &work)
  }

  private func contains(
    _ whole: StatusValue, _ part: StatusValue, _ name: String, _ work: inout Work
  ) throws(ConditionFailure) -> Bool {
    switch (whole, part) {
    case (.null, _): return false
    case (.array(let elements), _):
      for element in elements where areEqual(element, part, &work) { return true }
      return false
    case (.string, .null): return false
    case (.string(let whole), .string(let part)):
      return TextTest.holds(whole, .contains, part, options, &work)
    default: throw ConditionFailure("\(name) takes an array or two strings, found \(whole.noun)")
    }
  }

  private func isText(
    _ left: StatusValue, _ comparator: PredicateOperator, _ right: StatusValue, _ name: String,
    _ work: inout Work
  ) throws(ConditionFailure) -> Bool {
    if left == .null || right == .null { return false }
    guard case .string(let first) = left, case .string(let second) = right else {
      throw ConditionFailure("\(name) takes two strings, found \(left.noun) and \(right.noun)")
    }
    return TextTest.holds(first, comparator, second, options, &work)
  }

  private func isBetween(
    _ value: StatusValue, _ bounds: StatusValue, _ work: inout Work
  ) throws(ConditionFailure) -> Bool {
    guard case .array(let bounds) = bounds, bounds.count == 2 else {
      throw ConditionFailure("`BETWEEN` takes two values in braces")
    }
    guard try isOrdered(value, .greaterOrEqual, bounds[0], &work) else { return false }
    return try isOrdered(value, .lessOrEqual, bounds[1], &work)
  }
}
