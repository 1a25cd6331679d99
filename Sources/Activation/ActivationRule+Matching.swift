package import UniformTypes

extension ActivationRule {
  /// Whether the extension is offered for these items.
  package func matches(_ items: [SharedItem], types: TypeLibrary) -> Bool {
    matches(ResolvedItems(items, types: types))
  }

  /// The same for items that are looked up already. A predicate that visits more elements of nested lists than
  /// it may (100,000) does not match.
  package func matches(_ items: ResolvedItems) -> Bool {
    switch self {
    case .dictionary(let rule): return rule.matches(items)
    case .predicate(let predicate):
      var evaluator = Evaluator(predicate, items)
      return evaluator.holds(predicate.program.root) && !evaluator.isExhausted
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
    case .predicate(let predicate): predicate.root.collectTypes(into: &names)
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}

extension Clause {
  /// Literals that are compared with types.
  fileprivate func collectTypes(into names: inout [String]) {
    switch kind {
    case .constant: break
    case .not(let clause): clause.collectTypes(into: &names)
    case .all(let clauses), .any(let clauses):
      for clause in clauses { clause.collectTypes(into: &names) }
    case .comparison(let comparison):
      comparison.left.collectTypes(into: &names, isType: comparison.namesTypes)
      comparison.right.collectTypes(into: &names, isType: comparison.namesTypes)
    }
  }
}

extension Expression {
  /// - Parameter isType: whether a literal is a type here.
  fileprivate func collectTypes(into names: inout [String], isType: Bool) {
    switch kind {
    case .text(let literal): if isType { names.append(literal.text) }
    case .list(let elements):
      for element in elements { element.collectTypes(into: &names, isType: isType) }
    case .subquery(let subquery):
      subquery.collection.collectTypes(into: &names, isType: isType)
      subquery.predicate.collectTypes(into: &names)
    case .count(let collection): collection.collectTypes(into: &names, isType: false)
    case .attachments, .types, .items, .variable, .number: break
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
