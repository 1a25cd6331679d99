internal import Output
internal import Predicates
package import UniformTypes

/// The result of evaluating an activation rule, or a part of a rule, on shared items.
package struct ActivationExplanation: Sendable, Equatable {
  /// The part of the rule as text on one line. `…` replaces the conditions of a predicate's `SUBQUERY`, which follow in
  /// ``parts``.
  package var text: String
  package var verdict: Verdict
  /// The values that the part compares, such as `2 == 1`; nil if `text` suffices.
  package var detail: String?
  /// Whether the result of the rule depends on this part's result.
  package var decides: Bool
  /// The line in the predicate at which the part begins, from 1. Nil for a `SUBQUERY`, for an element of a list, and in
  /// a dictionary rule.
  package var line: Int?
  package var column: Int?
  package var parts: [ActivationExplanation] = []

  package enum Verdict: Sendable, Equatable {
    case holds
    case fails
    /// For a `SUBQUERY`: the number of elements that match, and the number of all elements.
    case counts(Int, of: Int)
  }
}

extension ActivationExplanation.Verdict {
  init(_ holds: Bool) { self = holds ? .holds : .fails }
}

extension ActivationRule {
  /// Evaluates each part of the rule on the items, and marks the parts that decide. The result for the whole rule is
  /// the same as that of ``matches(_:types:)``.
  package func explain(_ items: [SharedItem], types: TypeLibrary) -> ActivationExplanation {
    let resolved = ResolvedItems(items, types: types)
    switch self {
    case .dictionary(let rule): return rule.explain(resolved)
    case .predicate(let predicate): return PredicateExplainer.explain(predicate, resolved)
    }
  }
}

/// Evaluates all parts of a predicate, even those on which its result does not depend.
private struct PredicateExplainer {
  private var evaluator: Evaluator
  private var remaining = maximumParts

  /// The maximum number of parts in an explanation. Further parts are left out.
  private static let maximumParts = 5_000
  /// The maximum number of list elements that an evaluation may visit. If it visits more, the explanation has only one
  /// part.
  private static let maximumVisits = 20_000
  /// The maximum number of types that ``ActivationExplanation/detail`` lists.
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

  /// Explains each clause of an `AND` or `OR`. A clause with the result `decisive` settles the result of the whole;
  /// only the first such clause decides. If there is no such clause, all clauses decide.
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
