internal import Predicates
internal import UniformTypes

extension ActivationRule {
  /// Returns the rule as the Intune App SDK's configurator rewrites it. The rewritten rule also matches items that are
  /// shared under protection. A dictionary becomes a predicate. Each comparison with a type gets a twin: a comparison
  /// with the type's Intune alias. Other text is unchanged, and rewriting a rewritten rule changes nothing.
  ///
  /// A dictionary that has an unknown key or supports nothing is returned unchanged. Such a dictionary probably
  /// contains a mistake, which its author should see.
  ///
  /// Comparisons with a type are `UTI-CONFORMS-TO`, `UTI-EQUALS` and `==` with a string on the right. A comparison and
  /// its twin are joined by `||`, or by `&&` after `NONE`.
  ///
  /// - Throws: ``PredicateError`` if the rewritten predicate would be too long or nested too deeply.
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

/// Rewrites a predicate's source text: for each comparison with a type, adds a comparison with the twin type.
private struct TypeAliasRewriter {
  private let source: String
  /// The changes to the source text, in source order.
  private var edits: [Edit] = []

  private struct Edit {
    var range: Range<String.Index>
    var text: String
  }

  /// The clause around a comparison. It determines whether a twin already exists and whether parentheses are needed.
  private enum Surroundings {
    /// No clause, because the comparison is the whole predicate.
    case nothing
    case all(twins: Set<AliasedComparison>)
    case any(twins: Set<AliasedComparison>)
    case not
  }

  /// A comparison with a twin type, stored with the plain type. Looking up a plain comparison therefore shows whether
  /// it has a twin.
  private struct AliasedComparison: Hashable {
    var left: String
    var comparator: Comparison.Comparator
    var quantifier: Comparison.Quantifier?
    var options: TextOptions
    /// The type without the prefix of twins, in lower case.
    var type: String
  }

  init(_ source: String) { self.source = source }

  var rewritten: String { text(source.startIndex..<source.endIndex, edits: edits) }

  /// Returns the source text of the range with `edits` applied. They must all be inside the range.
  private func text(_ range: Range<String.Index>, edits: [Edit]) -> String {
    var text = ""
    var end = range.lowerBound
    for edit in edits {
      text += source[end..<edit.range.lowerBound] + edit.text
      end = edit.range.upperBound
    }
    return text + source[end..<range.upperBound]
  }

  /// Adds twins to the comparisons in the clause.
  ///
  /// - Throws: ``PredicateError`` if the text would become too long. Each level of nested comparisons doubles the text.
  mutating func visit(_ clause: Clause) throws(PredicateError) { try visit(clause, in: .nothing) }

  private mutating func visit(
    _ clause: Clause, in surroundings: Surroundings
  ) throws(PredicateError) {
    switch clause.kind {
    case .constant: break
    case .not(let inner): try visit(inner, in: .not)
    case .all(let clauses):
      let twins = Self.twins(among: clauses)
      for inner in clauses { try visit(inner, in: .all(twins: twins)) }
    case .any(let clauses):
      let twins = Self.twins(among: clauses)
      for inner in clauses { try visit(inner, in: .any(twins: twins)) }
    case .comparison(let comparison):
      if let literal = comparison.plainType {
        try add(comparison, clause.part, literal, in: surroundings)
      } else {
        try visit(comparison.left)
        try visit(comparison.right)
      }
    }
  }

  private static func twins(among clauses: [Clause]) -> Set<AliasedComparison> {
    var twins: Set<AliasedComparison> = []
    for clause in clauses {
      guard case .comparison(let comparison) = clause.kind,
        case .text(let literal) = comparison.right.kind,
        let type = IntuneTypeAlias.original(of: literal.reference.folded)
      else { continue }
      twins.insert(twin(comparison, of: type))
    }
    return twins
  }

  private static func twin(_ comparison: Comparison, of type: String) -> AliasedComparison {
    AliasedComparison(
      left: PredicatePrinter.full.text(of: comparison.left), comparator: comparison.comparator,
      quantifier: comparison.quantifier, options: comparison.options, type: type)
  }

  private mutating func visit(_ expression: Expression) throws(PredicateError) {
    switch expression.kind {
    case .subquery(let subquery):
      try visit(subquery.collection)
      try visit(subquery.predicate)
    case .count(let collection): try visit(collection)
    case .number, .text, .list, .items, .variable, .attachments, .types: break
    }
  }

  private mutating func add(
    _ comparison: Comparison, _ part: SourcePart, _ literal: SourcePart,
    in surroundings: Surroundings
  ) throws(PredicateError) {
    let isNone = comparison.quantifier == .no
    let twins: Set<AliasedComparison>
    let needsParentheses: Bool
    switch surroundings {
    case .nothing: (twins, needsParentheses) = ([], false)
    case .not: (twins, needsParentheses) = ([], true)
    case .all(let all): (twins, needsParentheses) = (isNone ? all : [], !isNone)
    case .any(let all): (twins, needsParentheses) = (isNone ? [] : all, isNone)
    }
    let first = edits.count
    try visit(comparison.left)
    guard case .text(let type) = comparison.right.kind,
      !twins.contains(Self.twin(comparison, of: type.reference.folded))
    else { return }
    let inner = Array(edits[first...])
    edits.removeSubrange(first...)
    guard let quote = source[literal.range].firstIndex(where: { $0 == "\"" || $0 == "'" }) else {
      return
    }
    let name = source.index(after: quote)
    let compared = text(part.range.lowerBound..<name, edits: inner)
    let rest = source[name..<part.range.upperBound]
    let twin = compared + IntuneTypeAlias.prefix + rest
    guard 2 * (compared.utf8.count + rest.utf8.count) <= Predicate.maximumLength else {
      throw PredicateError(
        at: part, found: "a rule that exceeds this length with the twins of its types",
        expected: "a rule of at most \(Predicate.maximumLength) bytes")
    }
    let both = compared + rest + (isNone ? " && " : " || ") + twin
    edits.append(Edit(range: part.range, text: needsParentheses ? "(\(both))" : both))
  }
}

extension Comparison {
  /// The position of the type if this is a comparison with a plain type, which needs a twin; nil for any other
  /// comparison.
  fileprivate var plainType: SourcePart? {
    guard [.conformsTo, .typeEquals, .equal].contains(comparator),
      case .text(let literal) = right.kind, !IntuneTypeAlias.isTwin(literal.text),
      !literal.text.isEmpty
    else { return nil }
    if case .text = left.kind { return nil }
    return right.part
  }
}
