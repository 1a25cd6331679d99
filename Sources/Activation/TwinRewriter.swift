internal import UniformTypes

/// Puts twins beside comparisons with types, in the source of a predicate.
struct TwinRewriter {
  private let source: String
  /// In the order of the source.
  private var edits: [Edit] = []

  private struct Edit {
    var range: Range<String.Index>
    var text: String
  }

  /// What a comparison is a direct part of.
  private enum Surroundings {
    /// A whole predicate.
    case nothing
    case all([Clause])
    case any([Clause])
    case not
  }

  init(_ source: String) { self.source = source }

  var rewritten: String { text(source.startIndex..<source.endIndex, edits: edits) }

  /// That range of the source with all of these edits, which lie within it.
  private func text(_ range: Range<String.Index>, edits: [Edit]) -> String {
    var text = ""
    var end = range.lowerBound
    for edit in edits {
      text += source[end..<edit.range.lowerBound] + edit.text
      end = edit.range.upperBound
    }
    return text + source[end..<range.upperBound]
  }

  mutating func visit(_ clause: Clause) { visit(clause, in: .nothing) }

  private mutating func visit(_ clause: Clause, in surroundings: Surroundings) {
    switch clause.kind {
    case .constant: break
    case .not(let inner): visit(inner, in: .not)
    case .all(let clauses): for inner in clauses { visit(inner, in: .all(clauses)) }
    case .any(let clauses): for inner in clauses { visit(inner, in: .any(clauses)) }
    case .comparison(let comparison):
      if let literal = comparison.plainType {
        add(comparison, clause.part, literal, in: surroundings)
      } else {
        visit(comparison.left)
        visit(comparison.right)
      }
    }
  }

  private mutating func visit(_ expression: Expression) {
    switch expression.kind {
    case .subquery(let subquery):
      visit(subquery.collection)
      visit(subquery.predicate)
    case .count(let collection): visit(collection)
    case .number, .text, .list, .items, .variable, .attachments, .types: break
    }
  }

  private mutating func add(
    _ comparison: Comparison, _ part: SourcePart, _ literal: SourcePart,
    in surroundings: Surroundings
  ) {
    let isNone = comparison.quantifier == .no
    let siblings: [Clause]
    let needsParentheses: Bool
    switch surroundings {
    case .nothing: (siblings, needsParentheses) = ([], false)
    case .not: (siblings, needsParentheses) = ([], true)
    case .all(let clauses): (siblings, needsParentheses) = (isNone ? clauses : [], !isNone)
    case .any(let clauses): (siblings, needsParentheses) = (isNone ? [] : clauses, isNone)
    }
    let first = edits.count
    visit(comparison.left)
    guard !siblings.contains(where: { comparison.hasTwin($0) }) else { return }
    let inner = Array(edits[first...])
    edits.removeSubrange(first...)
    guard let quote = source[literal.range].firstIndex(where: { $0 == "\"" || $0 == "'" }) else {
      return
    }
    let name = source.index(after: quote)
    let compared = text(part.range.lowerBound..<name, edits: inner)
    let rest = source[name..<part.range.upperBound]
    let twin = compared + IntuneTwin.prefix + rest
    let both = compared + rest + (isNone ? " && " : " || ") + twin
    edits.append(Edit(range: part.range, text: needsParentheses ? "(\(both))" : both))
  }
}

extension Comparison {
  /// Where the type stands that the comparison is with; nil for another comparison, and for one with a
  /// twin.
  fileprivate var plainType: SourcePart? {
    guard [.conformsTo, .typeEquals, .equal].contains(comparator), shape == .texts,
      case .text(let literal) = right.kind, !IntuneTwin.isTwin(literal.text), !literal.text.isEmpty
    else { return nil }
    if case .text = left.kind { return nil }
    return right.part
  }

  /// Whether `clause` is the same comparison with the twin.
  fileprivate func hasTwin(_ clause: Clause) -> Bool {
    guard case .comparison(let other) = clause.kind, other.left == left,
      other.comparator == comparator, other.quantifier == quantifier, other.options == options,
      case .text(let literal) = right.kind, case .text(let twin) = other.right.kind
    else { return false }
    return IntuneTwin.original(of: twin.reference.folded) == literal.reference.folded
  }
}
