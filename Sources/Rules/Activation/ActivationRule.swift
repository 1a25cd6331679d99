package import Predicates
package import UniformTypes

/// The condition for offering an extension: `NSExtensionActivationRule`. An extension without a rule is never offered.
package enum ActivationRule: Sendable, Equatable {
  case dictionary(DictionaryRule)
  case predicate(Predicate)
}

extension ActivationRule {
  /// Whether the extension is offered for these items.
  package func matches(_ items: [SharedItem], types: TypeLibrary) -> Bool {
    matches(ResolvedItems(items, types: types))
  }

  /// Whether the extension is offered for these items, whose types are looked up already.
  package func matches(_ items: ResolvedItems) -> Bool {
    var work = Work()
    return matches(items, &work)
  }

  /// Whether the extension is offered for these items; adds the cost to `work`. A predicate that takes more work
  /// than is allowed does not match.
  package func matches(_ items: ResolvedItems, _ work: inout Work) -> Bool {
    switch self {
    case .dictionary(let rule):
      work.charge(elements: items.attachments.count)
      return rule.matches(items)
    case .predicate(let predicate):
      var evaluator = Evaluator(predicate, items, work)
      let holds = evaluator.holds(predicate.program.root)
      work = evaluator.work
      return holds && !work.isExhausted
    }
  }

  /// All types that the rule names, in its order and spelling, each once; for a dictionary rule, the types of the
  /// kinds that it supports.
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
    return Self.once(names)
  }

  /// All strings that the rule compares with the letters of types, such as `public.` after `BEGINSWITH`, in its
  /// order and spelling, each once; none of a dictionary rule.
  package var typePatterns: [String] {
    guard case .predicate(let predicate) = self else { return [] }
    return Self.once(predicate.root.literals { !$0.namesTypes })
  }

  /// The comparisons of the number of matches that hold where nothing matches, such as `@count <= 20`, as written,
  /// each once; none of a dictionary rule.
  ///
  /// Only comparisons of a `SUBQUERY` that names types or looks at their letters count.
  package var countsOfNothing: [String] {
    guard case .predicate(let predicate) = self else { return [] }
    return Self.once(predicate.root.nested.compactMap(\.countOfNothing))
  }

  private static func once(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}

extension Clause {
  /// The strings compared in the comparisons that `isWanted` picks, in the order of the source.
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
}

extension Clause {
  /// The clause as `@count <= 20`, where it compares the number of a subquery's matches with a number and holds for 0;
  /// nil for any other clause.
  fileprivate var countOfNothing: String? {
    guard case .comparison(let comparison) = kind, comparison.shape == .numbers else { return nil }
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

  /// The elements of a list in braces; for anything else, the operand itself.
  fileprivate var elements: [Expression] {
    if case .list(let elements) = kind { elements } else { [self] }
  }
}

extension Comparison {
  /// Whether strings in the comparison are whole type identifiers.
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
