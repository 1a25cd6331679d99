internal import Output
internal import Predicates
package import UniformTypes

/// The result of a rule, or of a part of a rule, for a list of items.
package struct ActivationExplanation: Sendable, Equatable {
  /// The part's text, on one line. In a predicate, `…` replaces the conditions of a `SUBQUERY`; the conditions follow
  /// in ``parts``.
  package var text: String
  package var verdict: Verdict
  /// The compared values, such as `2 == 1`; nil if `text` is sufficient.
  package var detail: String?
  /// Whether the rule's verdict depends on this part's verdict.
  package var decides: Bool
  /// The first line of the part in the predicate, from 1; nil for a `SUBQUERY`, for elements of lists and in dictionary
  /// rules.
  package var line: Int?
  package var column: Int?
  package var parts: [ActivationExplanation] = []

  package enum Verdict: Sendable, Equatable {
    case holds
    case fails
    /// The number of list elements that match, and the size of the list.
    case counts(Int, of: Int)
  }
}

extension ActivationExplanation.Verdict {
  init(_ holds: Bool) { self = holds ? .holds : .fails }
}

extension ActivationRule {
  /// Returns the verdict of each part of the rule for these items, and marks the decisive parts. The
  /// top-level verdict equals the result of ``matches(_:types:)``.
  package func explain(_ items: [SharedItem], types: TypeLibrary) -> ActivationExplanation {
    let resolved = ResolvedItems(items, types: types)
    switch self {
    case .dictionary(let rule): return rule.explain(resolved)
    case .predicate(let predicate): return PredicateExplainer.explain(predicate, resolved)
    }
  }
}

/// Evaluates every part of a predicate, including parts on which the verdict does not depend.
private struct PredicateExplainer {
  private var evaluator: Evaluator
  private var remaining = maximumParts

  /// A larger tree is truncated.
  private static let maximumParts = 5_000
  /// A predicate that visits more elements is explained as a single part.
  private static let maximumVisits = 20_000
  /// The maximum number of types listed in a detail.
  private static let maximumTypes = 6

  static func explain(_ predicate: Predicate, _ items: ResolvedItems) -> ActivationExplanation {
    var evaluator = Evaluator(predicate, items)
    let holds = evaluator.holds(predicate.program.root) && !evaluator.budget.isExhausted
    if evaluator.budget.elements > maximumVisits {
      return ActivationExplanation(
        text: PredicatePrinter.abbreviating.text(of: predicate.root),
        verdict: ActivationExplanation.Verdict(holds),
        detail: evaluator.budget.isExhausted
          ? "the evaluation stopped after \(WorkBudget.maximumElements) list elements"
          : "the evaluation visited \(evaluator.budget.elements) list elements, too many to show",
        decides: true, line: 1, column: 1)
    }
    // Each part is evaluated again at every enclosing level, and twice inside `AND` and `OR`.
    let budget = WorkBudget(elements: 2 * Predicate.maximumDepth * maximumVisits)
    var explainer = PredicateExplainer(evaluator: Evaluator(predicate, items, budget))
    return explainer.explain(predicate.root, decides: true)
  }

  private mutating func explain(_ clause: Clause, decides: Bool) -> ActivationExplanation {
    remaining -= 1
    let holds = evaluator.holds(clause)
    var explanation = ActivationExplanation(
      text: "NOT", verdict: ActivationExplanation.Verdict(holds), decides: decides,
      line: clause.part.line, column: clause.part.column)
    switch clause.kind {
    case .constant: explanation.text = PredicatePrinter.abbreviating.text(of: clause)
    case .not(let inner):
      explanation.parts = [explain(inner, decides: decides)]
    case .all(let clauses):
      explanation.text = "all of these"
      explanation.parts = explain(clauses, decides: decides, decisive: false)
    case .any(let clauses):
      explanation.text = "any of these"
      explanation.parts = explain(clauses, decides: decides, decisive: true)
    case .comparison(let comparison):
      explanation.text = PredicatePrinter.abbreviating.text(of: clause)
      explanation.detail = detail(of: comparison)
      explanation.parts = parts(of: comparison, decides: decides)
    }
    return explanation
  }

  /// Explains each clause. If a clause has the verdict `decisive`, the first such clause decides;
  /// otherwise all clauses decide.
  private mutating func explain(
    _ clauses: [Clause], decides: Bool, decisive: Bool
  ) -> [ActivationExplanation] {
    let first = clauses.firstIndex { evaluator.holds($0) == decisive }
    return clauses.indices.map { place in
      explain(clauses[place], decides: decides && (first == nil || place == first))
    }
  }

  private mutating func detail(of comparison: Comparison) -> String? {
    switch comparison.shape {
    case .numbers:
      let left = evaluator.number(comparison.left)
      let right = evaluator.number(comparison.right)
      return "\(left) \(comparison.comparator.rawValue) \(right)"
    case .numberInList, .numberBetween: return String(evaluator.number(comparison.left))
    case .listHasNumber: return String(evaluator.number(comparison.right))
    case .listHasText: return types(evaluator.elements(of: comparison.left))
    case .texts, .textInList, .textBetween:
      guard let quantifier = comparison.quantifier else {
        return quoted(evaluator.text(comparison.left))
      }
      if let witness = evaluator.first(of: comparison, where: quantifier != .all) {
        let verb = quantifier == .all ? "does not" : "does"
        return "\(quoted(witness)) \(verb)"
      }
      return types(evaluator.elements(of: comparison.left))
    }
  }

  private func quoted(_ text: Evaluator.Text) -> String {
    "`\(PredicatePrinter.abbreviated(evaluator.string(text)))`"
  }

  private func types(_ texts: [Evaluator.Text]) -> String {
    texts.isEmpty
      ? "no types" : ListFormat.first(Self.maximumTypes, of: texts.lazy.map { quoted($0) })
  }

  private mutating func parts(
    of comparison: Comparison, decides: Bool
  ) -> [ActivationExplanation] {
    var parts: [ActivationExplanation] = []
    for side in [comparison.left, comparison.right] {
      guard let subquery = Self.subquery(in: side), remaining > 0 else { continue }
      parts.append(explain(subquery, decides: decides))
    }
    return parts
  }

  private static func subquery(in expression: Expression) -> Subquery? {
    switch expression.kind {
    case .subquery(let subquery): subquery
    case .count(let collection): subquery(in: collection)
    case .number, .text, .list, .items, .variable, .attachments, .types: nil
    }
  }

  private mutating func explain(_ subquery: Subquery, decides: Bool) -> ActivationExplanation {
    remaining -= 1
    var explanation = ActivationExplanation(
      text: PredicatePrinter.abbreviating.text(
        of: Expression(kind: .subquery(subquery), part: subquery.predicate.part)),
      verdict: .counts(0, of: 0), decides: decides)
    var total = 0
    var fitting = 0
    for place in evaluator.places(of: subquery.collection) {
      total += 1
      let holds = evaluator.isIn(place, subquery)
      if holds { fitting += 1 }
      guard remaining > 0 else {
        explanation.detail = "not all shown"
        continue
      }
      remaining -= 1
      evaluator.bind(subquery.variable, to: place)
      explanation.parts.append(
        ActivationExplanation(
          text: name(of: place, kind: subquery.variable.kind),
          verdict: ActivationExplanation.Verdict(holds), decides: decides,
          parts: [explain(subquery.predicate, decides: decides)]))
    }
    explanation.verdict = .counts(fitting, of: total)
    return explanation
  }

  private func name(of place: Int, kind: ValueKind) -> String {
    switch kind {
    case .item: "item \(place + 1)"
    case .attachment: evaluator.items.name(ofAttachment: place)
    case .text: "type `\(evaluator.items.types[place].identifier)`"
    // Variables do not have these kinds.
    case .items, .attachments, .texts, .numbers, .number: "element \(place + 1)"
    }
  }
}

extension ResolvedItems {
  func name(ofAttachment place: Int) -> String {
    let item = items.firstIndex { $0.contains(place) } ?? 0
    let number = place - items[item].lowerBound + 1
    let names = types[attachments[place]].map(\.identifier)
    let list = names.isEmpty ? "no types" : names.joined(separator: ", ")
    return "attachment \(number) of item \(item + 1) (\(list))"
  }
}
