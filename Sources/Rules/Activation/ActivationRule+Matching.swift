package import Predicates
package import UniformTypes

extension ActivationRule {
  /// Whether the extension is offered for these items.
  package func matches(_ items: [SharedItem], types: TypeLibrary) -> Bool {
    matches(ResolvedItems(items, types: types))
  }

  /// The same for items that are looked up already.
  package func matches(_ items: ResolvedItems) -> Bool {
    var work = Work()
    return matches(items, &work)
  }

  /// The same with what that costs. A predicate that takes more work than there may be does not match.
  package func matches(_ items: ResolvedItems, _ work: inout Work) -> Bool {
    switch self {
    case .dictionary(let rule):
      work.visit(items.attachments.count)
      return rule.matches(items)
    case .predicate(let predicate):
      var evaluator = Evaluator(predicate, items, work)
      let holds = evaluator.holds(predicate.program.root)
      work = evaluator.work
      return holds && !work.isExhausted
    }
  }

  /// All types that the rule names, in its order and spelling, each once. A dictionary rule names those of the
  /// kinds that it supports.
  package var typeIdentifiers: [String] {
    var names: [String] = []
    switch self {
    case .dictionary(let rule):
      for kind in AttachmentKind.allCases where rule.limits.maxima[kind] != nil {
        names += kind.types.sufficient + kind.types.accepted
      }
    case .predicate(let predicate):
      predicate.root.collectLiterals(into: &names) { $0.namesTypes }
    }
    return Self.once(names)
  }

  /// All strings that the rule compares with the letters of types, such as `public.` after `BEGINSWITH`, in its
  /// order and spelling, each once; none of a dictionary rule.
  package var typePatterns: [String] {
    guard case .predicate(let predicate) = self else { return [] }
    var patterns: [String] = []
    predicate.root.collectLiterals(into: &patterns) { !$0.namesTypes }
    return Self.once(patterns)
  }

  private static func once(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}

extension Clause {
  /// Literals in those comparisons that `isWanted` picks.
  fileprivate func collectLiterals(
    into found: inout [String], where isWanted: (Comparison) -> Bool
  ) {
    switch kind {
    case .constant: break
    case .not(let clause): clause.collectLiterals(into: &found, where: isWanted)
    case .all(let clauses), .any(let clauses):
      for clause in clauses { clause.collectLiterals(into: &found, where: isWanted) }
    case .comparison(let comparison):
      let isLiteralWanted = isWanted(comparison)
      for side in [comparison.left, comparison.right] {
        if isLiteralWanted { side.collectLiterals(into: &found) }
        side.collectLiterals(into: &found, where: isWanted)
      }
    }
  }
}

extension Expression {
  /// Literals that are themselves compared.
  fileprivate func collectLiterals(into found: inout [String]) {
    switch kind {
    case .text(let literal): found.append(literal.text)
    case .list(let elements): for element in elements { element.collectLiterals(into: &found) }
    case .subquery, .count, .attachments, .types, .items, .variable, .number: break
    }
  }

  /// Literals in comparisons inside of it.
  fileprivate func collectLiterals(
    into found: inout [String], where isWanted: (Comparison) -> Bool
  ) {
    switch kind {
    case .subquery(let subquery):
      subquery.collection.collectLiterals(into: &found, where: isWanted)
      subquery.predicate.collectLiterals(into: &found, where: isWanted)
    case .count(let collection): collection.collectLiterals(into: &found, where: isWanted)
    case .text, .list, .attachments, .types, .items, .variable, .number: break
    }
  }
}

extension Comparison {
  /// Strings in it are whole type identifiers.
  fileprivate var namesTypes: Bool {
    switch comparator {
    case .conformsTo, .typeEquals, .equal, .notEqual: true
    case .contains, .isIn: shape == .listHasText || shape == .textInList
    case .beginsWith, .endsWith, .like, .matches, .less, .lessOrEqual, .greater, .greaterOrEqual:
      false
    }
  }
}
