internal import Predicates

/// The rules about which operands may stand where: kinds of values are known when a rule is read.
extension RuleLanguage {
  static func element(of collection: Expression) throws(PredicateError) -> ValueKind {
    var found = collection.valueKind.noun
    if case .list = collection.kind {
      found = "a list in braces"
    } else if let element = collection.valueKind.element {
      return element
    }
    throw PredicateError(at: collection.part, found: found, expected: words(for: .collection))
  }

  static func check(
    _ element: Expression, beside first: Expression, at token: PredicateToken
  ) throws(PredicateError) {
    guard first.valueKind == element.valueKind else {
      throw unexpected(token, expected: "\(first.valueKind.noun), as before it")
    }
  }

  static func check(
    _ quantifier: PredicateQuantifier, before operand: Expression
  ) throws(PredicateError) {
    guard operand.valueKind == .texts else {
      throw PredicateError(
        at: operand.part, found: operand.valueKind.noun,
        expected: "a list of strings after `\(quantifier.rawValue)`")
    }
  }

  /// Throws unless the operator, which stands at `place`, can compare the two operands.
  static func check(
    _ comparison: PredicateComparison<Self>, at place: SourcePart
  ) throws(PredicateError) {
    let left = comparison.comparedKind
    let right = comparison.right.valueKind
    let name = comparison.comparator.rawValue
    guard let wanted = comparison.comparator.right(for: left) else {
      let noun = comparison.comparator.leftNoun
      // A list in place of its elements is the common slip.
      let suggestion = left == .texts && noun == ValueKind.text.noun ? "ANY" : nil
      throw PredicateError(
        at: comparison.left.part, found: left.noun, expected: "\(noun) on the left of `\(name)`",
        suggestion: suggestion)
    }
    guard wanted.contains(right) else {
      let nouns = wanted.map(\.noun).joined(separator: " or ")
      throw PredicateError(
        at: comparison.right.part, found: right.noun,
        expected: "\(nouns) on the right of `\(name)`")
    }
    if !comparison.options.isEmpty, left == .number || left == .numbers {
      throw PredicateError(
        at: place, found: "`\(name)` with options",
        expected: "`\(name)` without options between numbers")
    }
  }
}

extension PredicateComparison<RuleLanguage> {
  /// The kind of the value on the left of each single comparison.
  var comparedKind: ValueKind { quantifier == nil ? left.valueKind : .text }
}

extension PredicateOperator {
  /// The kinds of values that the operator compares with one of kind `left`; nil where it cannot compare such a value.
  fileprivate func right(for left: ValueKind) -> [ValueKind]? {
    switch self {
    case .conformsTo, .typeEquals, .beginsWith, .endsWith, .like, .matches:
      left == .text ? [.text] : nil
    case .contains:
      switch left {
      case .text, .texts: [.text]
      case .numbers: [.number]
      case .items, .item, .attachments, .attachment, .number: nil
      }
    case .isIn:
      switch left {
      case .text: [.texts, .text]
      case .number: [.numbers]
      case .items, .item, .attachments, .attachment, .texts, .numbers: nil
      }
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      switch left {
      case .text: [.text]
      case .number: [.number]
      case .items, .item, .attachments, .attachment, .texts, .numbers: nil
      }
    // Rules have no such operator.
    case .between: nil
    }
  }

  /// The noun for the operand that must stand on the operator's left.
  fileprivate var leftNoun: String {
    switch self {
    case .conformsTo, .typeEquals, .beginsWith, .endsWith, .like, .matches: ValueKind.text.noun
    case .contains: "a string or a list"
    case .isIn, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      "a string or a number"
    }
  }
}
