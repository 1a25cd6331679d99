@testable import Activation
import Predicates
import UniformTypes

/// A slow reference implementation of activation rules that follows their description. Values are
/// trees, types are strings, and nothing is precomputed.
enum NaiveRule {
  indirect enum Value {
    case number(Int)
    case text(String)
    case list([Value])
    case item(SharedItem)
    case attachment(SharedAttachment)

    var elements: [Value] {
      switch self {
      case .list(let values): values
      case .number, .text, .item, .attachment: []
      }
    }

    var number: Int { if case .number(let number) = self { number } else { -1 } }
    var text: String { if case .text(let text) = self { text } else { "" } }
  }

  struct Scope {
    var items: [SharedItem]
    var types: TypeLibrary
    var variables: [String: Value] = [:]
  }

  static func holds(_ clause: Clause, _ scope: Scope) -> Bool {
    switch clause.kind {
    case .constant(let holds): holds
    case .not(let clause): !holds(clause, scope)
    case .all(let clauses): clauses.map { holds($0, scope) }.allSatisfy { $0 }
    case .any(let clauses): clauses.map { holds($0, scope) }.contains(true)
    case .comparison(let comparison): holds(comparison, scope)
    }
  }

  private static func holds(_ comparison: Comparison, _ scope: Scope) -> Bool {
    let left = value(comparison.left, scope)
    let right = value(comparison.right, scope)
    guard let quantifier = comparison.quantifier else {
      return compare(left, right, comparison, scope)
    }
    let outcomes = left.elements.map { compare($0, right, comparison, scope) }
    switch quantifier {
    case .any, .some: return outcomes.contains(true)
    case .all: return !outcomes.contains(false)
    case .no: return !outcomes.contains(true)
    }
  }

  static func value(_ expression: Expression, _ scope: Scope) -> Value {
    switch expression.kind {
    case .number(let number): return .number(number)
    case .text(let literal): return .text(literal.text)
    case .list(let elements): return .list(elements.map { value($0, scope) })
    case .items: return .list(scope.items.map(Value.item))
    case .variable(let variable): return scope.variables[variable.name] ?? .number(-1)
    case .attachments(let item):
      guard case .item(let item) = value(item, scope) else { return .list([]) }
      return .list(item.attachments.map(Value.attachment))
    case .types(let attachment):
      guard case .attachment(let attachment) = value(attachment, scope) else { return .list([]) }
      return .list(attachment.registeredTypeIdentifiers.map(Value.text))
    case .subquery(let subquery):
      return .list(
        value(subquery.collection, scope).elements.filter { element in
          var inner = scope
          inner.variables[subquery.variable.name] = element
          return holds(subquery.predicate, inner)
        })
    case .count(let collection): return .number(value(collection, scope).elements.count)
    }
  }

  private static func compare(
    _ left: Value, _ right: Value, _ comparison: Comparison, _ scope: Scope
  ) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): compare(left, right, comparison.comparator)
    case (.text(let left), .text(let right)): compare(left, right, comparison, scope.types)
    case (.number(let number), .list(let list)) where comparison.comparator == .between:
      list[0].number <= number && number <= list[1].number
    case (.text(let text), .list(let list)) where comparison.comparator == .between:
      fold(list[0].text, comparison) <= fold(text, comparison)
        && fold(text, comparison) <= fold(list[1].text, comparison)
    case (.number(let number), .list(let list)): list.contains { $0.number == number }
    case (.list(let list), .number(let number)): list.contains { $0.number == number }
    case (.text(let text), .list(let list)):
      list.contains { fold($0.text, comparison) == fold(text, comparison) }
    case (.list(let list), .text(let text)):
      list.contains { fold($0.text, comparison) == fold(text, comparison) }
    case (.number, _), (.text, _), (.list, _), (.item, _), (.attachment, _): false
    }
  }

  private static func compare<Value: Comparable>(
    _ left: Value, _ right: Value, _ comparator: Comparison.Comparator
  ) -> Bool {
    switch comparator {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    // Rules that apply one of these operators to numbers are rejected.
    case .beginsWith, .endsWith, .contains, .isIn, .like, .matches, .between, .conformsTo,
      .typeEquals:
      false
    }
  }

  private static func fold(_ text: String, _ comparison: Comparison) -> String {
    comparison.options.contains(.caseInsensitive) ? text.lowercased() : text
  }

  private static func compare(
    _ left: String, _ right: String, _ comparison: Comparison, _ types: TypeLibrary
  ) -> Bool {
    let (text, other) = (fold(left, comparison), fold(right, comparison))
    switch comparison.comparator {
    case .conformsTo: return conforms(left, to: right, types)
    case .typeEquals: return left.lowercased() == right.lowercased()
    case .beginsWith: return !other.isEmpty && text.starts(with: other)
    case .endsWith: return !other.isEmpty && text.reversed().starts(with: other.reversed())
    case .contains: return has(text, other)
    case .isIn: return has(other, text)
    case .like: return isLike(Array(text), Array(other))
    case .matches: return (try? Regex(other).wholeMatch(in: text)) != nil
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return compare(text, other, comparison.comparator)
    // `BETWEEN` compares with a list.
    case .between: return false
    }
  }

  private static func has(_ text: String, _ part: String) -> Bool {
    !part.isEmpty && text.indices.contains { text[$0...].starts(with: part) }
  }

  private static func isLike(_ text: [Character], _ pattern: [Character]) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = Array(pattern.dropFirst())
    if first == "*" {
      return isLike(text, rest) || !text.isEmpty && isLike(Array(text.dropFirst()), pattern)
    }
    return (first == "?" || first == text.first) && !text.isEmpty
      && isLike(Array(text.dropFirst()), rest)
  }

  /// Returns whether a type conforms to another. The declarations are searched again for each
  /// query.
  static func conforms(_ type: String, to other: String, _ types: TypeLibrary) -> Bool {
    let prefix = "com.microsoft.intune.mam."
    let (type, other) = (type.lowercased(), other.lowercased())
    if type == other { return true }
    if type.hasPrefix(prefix) != other.hasPrefix(prefix) { return false }
    if type.hasPrefix(prefix) {
      return conforms(
        String(type.dropFirst(prefix.count)), to: String(other.dropFirst(prefix.count)), types)
    }
    return types.declaration(of: type)?.conformsTo.contains { conforms($0, to: other, types) }
      ?? false
  }
}
