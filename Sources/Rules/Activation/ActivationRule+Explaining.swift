package import UniformTypes

extension ActivationRule {
  /// The verdict of each part of the rule on these items, and which parts decide. The verdict at the top is that of
  /// ``matches(_:types:)``.
  package func explain(_ items: [SharedItem], types: TypeLibrary) -> ActivationExplanation {
    let resolved = ResolvedItems(items, types: types)
    switch self {
    case .dictionary(let rule): return rule.explain(resolved)
    case .predicate(let predicate): return PredicateExplainer.explain(predicate, resolved)
    }
  }
}
