internal import UniformTypes

extension ActivationRule {
  /// The rule as the Intune App SDK's configurator writes it: a dictionary becomes a predicate, and beside
  /// each comparison with a type stands one with the type's twin, so that items shared under protection
  /// match where they would without it. Everything else of a predicate stays as written, and a rewritten
  /// rule is rewritten to itself.
  ///
  /// A dictionary with an unknown key, or one that offers the extension for nothing, stays: its author meant
  /// something else, and can still see what.
  ///
  /// Comparisons are `UTI-CONFORMS-TO`, `UTI-EQUALS` and `==` with a string on the right. The twins are
  /// joined by `||`, after `NONE` by `&&`.
  ///
  /// - Throws: ``PredicateError`` where the rewritten predicate would be too long or nest too deep.
  package func rewritten() throws(PredicateError) -> ActivationRule {
    let predicate: Predicate
    switch self {
    case .dictionary(let rule) where !rule.isExpressible: return self
    case .dictionary(let rule): predicate = try Predicate(parsing: rule.predicateText)
    case .predicate(let original): predicate = original
    }
    var rewriter = TypeAliasRewriter(predicate.source)
    try rewriter.visit(predicate.root)
    return .predicate(try Predicate(parsing: rewriter.rewritten))
  }
}
