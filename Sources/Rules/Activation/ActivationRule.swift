internal import Output
package import Predicates
package import UniformTypes

/// A value of `NSExtensionActivationRule`. An extension is offered if the rule matches the shared items. An extension
/// without a rule is never offered.
package enum ActivationRule: Sendable, Equatable {
  case dictionary(DictionaryRule)
  case predicate(Predicate)

  package func matches(_ items: [SharedItem], types: TypeLibrary) -> Bool {
    matches(ResolvedItems(items, types: types))
  }

  package func matches(_ items: ResolvedItems) -> Bool {
    var budget = WorkBudget()
    return matches(items, &budget)
  }

  /// Returns whether the rule matches the items, and adds the cost to `budget`. A predicate that exhausts the budget
  /// does not match.
  package func matches(_ items: ResolvedItems, _ budget: inout WorkBudget) -> Bool {
    switch self {
    case .dictionary(let rule):
      budget.consume(elements: items.attachments.count)
      return rule.matches(items)
    case .predicate(let predicate):
      var evaluator = Evaluator(predicate, items, budget)
      let holds = evaluator.holds(predicate.program.root)
      budget = evaluator.budget
      return holds && !budget.isExhausted
    }
  }

  /// The type identifiers in the rule, without duplicates. For a predicate, they have the order and spelling of its
  /// source; for a dictionary, they are the types of the supported kinds.
  package var typeIdentifiers: [String] {
    var names: [String] = []
    switch self {
    case .dictionary(let rule):
      for kind in AttachmentKind.allCases where rule.limits.maxima[kind] != nil {
        names += kind.types.sufficient + kind.types.accepted
      }
    case .predicate(let predicate):
      names = predicate.root.literals { $0.namesTypes }
    }
    return names.unique
  }

  /// The strings in a predicate that match parts of type identifiers, such as `public.` after `BEGINSWITH`. They have
  /// the order and spelling of the source, without duplicates. Empty for a dictionary rule.
  package var typePatterns: [String] {
    guard case .predicate(let predicate) = self else { return [] }
    return predicate.root.literals { !$0.namesTypes }.unique
  }

  /// The comparisons of a subquery's number of matches that also hold for 0 matches, such as `@count <= 20`, without
  /// duplicates. Empty for a dictionary rule.
  ///
  /// Only subqueries that compare type identifiers or their parts are considered.
  package var countsOfNothing: [String] {
    guard case .predicate(let predicate) = self else { return [] }
    return predicate.root.nested.compactMap(\.countOfNothing).unique
  }
}

extension Clause {
  /// Returns the strings in the comparisons for which `isWanted` returns true, in source order.
  fileprivate func literals(where isWanted: (Comparison) -> Bool) -> [String] {
    var found: [(place: String.Index, text: String)] = []
    for clause in nested {
      guard case .comparison(let comparison) = clause.kind, isWanted(comparison) else { continue }
      for literal in comparison.left.elements + comparison.right.elements {
        guard case .text(let text) = literal.kind else { continue }
        found.append((literal.part.range.lowerBound, text.text))
      }
    }
    return found.sorted { $0.place < $1.place }.map { $0.text }
  }

  /// The clause as text, such as `@count <= 20`. Nil unless it compares the number of a subquery's matches with a
  /// number and holds for 0 matches.
  fileprivate var countOfNothing: String? {
    guard case .comparison(let comparison) = kind else { return nil }
    let (left, right) = (comparison.left.kind, comparison.right.kind)
    if case .count(let list) = left, case .number(let number) = right, list.looksAtTypes,
      comparison.comparator.holds(0, number)
    {
      return "@count \(comparison.comparator.rawValue) \(number)"
    }
    if case .number(let number) = left, case .count(let list) = right, list.looksAtTypes,
      comparison.comparator.holds(number, 0)
    {
      return "\(number) \(comparison.comparator.rawValue) @count"
    }
    return nil
  }
}

extension Expression {
  /// Whether the expression is a subquery that compares type identifiers or their parts.
  fileprivate var looksAtTypes: Bool {
    guard case .subquery(let subquery) = kind else { return false }
    return !subquery.predicate.literals { _ in true }.isEmpty
  }

  /// The elements of a list in braces. For any other expression, the only element is the expression itself.
  fileprivate var elements: [Expression] {
    if case .list(let elements) = kind { elements } else { [self] }
  }
}

extension Comparison {
  /// Whether the strings in the comparison are complete type identifiers, not parts of them.
  fileprivate var namesTypes: Bool {
    switch comparator {
    case .conformsTo, .typeEquals, .equal, .notEqual: true
    case .contains, .isIn: shape == .listHasText || shape == .textInList
    case .beginsWith, .endsWith, .like, .matches, .less, .lessOrEqual, .greater, .greaterOrEqual,
      .between:
      false
    }
  }
}
