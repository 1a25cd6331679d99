internal import Output
package import Predicates
package import UniformTypes

/// The value of `NSExtensionActivationRule`: the condition for offering an extension. An extension without a
/// rule is never offered.
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

  /// Adds the cost to `budget`. A predicate that exhausts the budget does not match.
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

  /// The type identifiers in the rule, in source order and spelling, without duplicates. For a dictionary
  /// rule, the types of the supported kinds.
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

  /// The strings that a predicate compares with parts of type identifiers, such as `public.` after
  /// `BEGINSWITH`. They keep source order and spelling, without duplicates. Empty for a dictionary rule.
  package var typePatterns: [String] {
    guard case .predicate(let predicate) = self else { return [] }
    return predicate.root.literals { !$0.namesTypes }.unique
  }

  /// The comparisons of match counts that are true for zero matches, such as `@count <= 20`. They keep the source
  /// spelling, without duplicates. Empty for a dictionary rule.
  ///
  /// Includes only counts of a `SUBQUERY` that compares type identifiers or their parts.
  package var countsOfNothing: [String] {
    guard case .predicate(let predicate) = self else { return [] }
    return predicate.root.nested.compactMap(\.countOfNothing).unique
  }
}

extension Clause {
  /// Returns the strings in the comparisons that satisfy `isWanted`, in source order.
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

  /// The clause in the form `@count <= 20`, if it compares a subquery's match count with a number and holds
  /// for 0; otherwise nil.
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
  /// Whether the expression is a subquery that compares types.
  fileprivate var looksAtTypes: Bool {
    guard case .subquery(let subquery) = kind else { return false }
    return !subquery.predicate.literals { _ in true }.isEmpty
  }

  /// The elements of a list in braces; for any other expression, the expression itself.
  fileprivate var elements: [Expression] {
    if case .list(let elements) = kind { elements } else { [self] }
  }
}

extension Comparison {
  /// Whether the strings in the comparison are whole type identifiers.
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
