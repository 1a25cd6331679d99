internal import Foundation

/// Compares two values as NSPredicate does.
struct ValueComparison {
  let options: ConditionComparison.Options

  /// - Throws: ``ConditionFailure`` where the two have no such relation.
  func holds(
    _ left: StatusValue, _ relation: ConditionComparison.Operator, _ right: StatusValue
  ) throws(ConditionFailure) -> Bool {
    switch relation {
    case .equal: areEqual(left, right)
    case .unequal: !areEqual(left, right)
    case .less: try order(left, right) == .orderedAscending
    case .greater: try order(left, right) == .orderedDescending
    case .lessOrEqual: try order(left, right).map { $0 != .orderedDescending } ?? false
    case .greaterOrEqual: try order(left, right).map { $0 != .orderedAscending } ?? false
    case .isIn: try contains(right, left, "`IN`")
    case .contains: try contains(left, right, "`CONTAINS`")
    case .beginsWith: try strings(left, right, "`BEGINSWITH`") { $0.hasPrefix($1) }
    case .endsWith: try strings(left, right, "`ENDSWITH`") { $0.hasSuffix($1) }
    case .like: try strings(left, right, "`LIKE`", Self.isLike)
    case .between: try isBetween(left, right)
    }
  }

  private func areEqual(_ left: StatusValue, _ right: StatusValue) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): return folded(left) == folded(right)
    case (.integer(let left), .integer(let right)): return left == right
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) }
    default:
      if let left = left.number, let right = right.number { return left == right }
      return left == right
    }
  }

  /// nil where one of them is null.
  private func order(
    _ left: StatusValue, _ right: StatusValue
  ) throws(ConditionFailure) -> ComparisonResult? {
    if left == .null || right == .null { return nil }
    if case .integer(let left) = left, case .integer(let right) = right {
      return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    }
    if let left = left.number, let right = right.number {
      return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    }
    guard case .string(let first) = left, case .string(let second) = right else {
      throw ConditionFailure("\(left.noun) and \(right.noun) have no order")
    }
    if first.utf16.elementsEqual(second.utf16) { return .orderedSame }
    return first.utf16.lexicographicallyPrecedes(second.utf16)
      ? .orderedAscending : .orderedDescending
  }

  private func contains(
    _ whole: StatusValue, _ part: StatusValue, _ name: String
  ) throws(ConditionFailure) -> Bool {
    switch (whole, part) {
    case (.null, _): return false
    case (.array(let elements), _): return elements.contains { areEqual($0, part) }
    case (.string, .null): return false
    case (.string(let whole), .string(let part)):
      return part.isEmpty || folded(whole).contains(folded(part))
    default: throw ConditionFailure("\(name) takes an array or two strings, found \(whole.noun)")
    }
  }

  private func strings(
    _ left: StatusValue, _ right: StatusValue, _ name: String,
    _ holds: (String, String) -> Bool
  ) throws(ConditionFailure) -> Bool {
    if left == .null || right == .null { return false }
    guard case .string(let first) = left, case .string(let second) = right else {
      throw ConditionFailure("\(name) takes two strings, found \(left.noun) and \(right.noun)")
    }
    return holds(folded(first), folded(second))
  }

  private func isBetween(
    _ value: StatusValue, _ bounds: StatusValue
  ) throws(ConditionFailure) -> Bool {
    guard case .array(let bounds) = bounds, bounds.count == 2 else {
      throw ConditionFailure("`BETWEEN` takes two values in braces")
    }
    guard try holds(value, .greaterOrEqual, bounds[0]) else { return false }
    return try holds(value, .lessOrEqual, bounds[1])
  }

  private func folded(_ text: String) -> String {
    var folding: String.CompareOptions = []
    if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
    return folding.isEmpty ? text : text.folding(options: folding, locale: nil)
  }

  /// `*` stands for any characters, `?` for one.
  private static func isLike(_ text: String, _ pattern: String) -> Bool {
    let text = Array(text)
    let pattern = Array(pattern)
    var (place, index) = (0, 0)
    // Where the last `*` is, and how far it reaches.
    var star: (index: Int, place: Int)?
    while place < text.count {
      if index < pattern.count, pattern[index] == "*" {
        star = (index, place)
        index += 1
      } else if index < pattern.count, pattern[index] == "?" || pattern[index] == text[place] {
        index += 1
        place += 1
      } else if let last = star {
        star = (last.index, last.place + 1)
        (index, place) = (last.index + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == "*" }
  }
}
