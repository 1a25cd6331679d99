internal import Output
internal import Predicates
package import UniformTypes

/// The result of a rule, or of a part of one, for certain items.
package struct ActivationExplanation: Sendable, Equatable {
  /// The part in one line; a predicate stands without the conditions of its `SUBQUERY`, which follow in ``parts``.
  package var text: String
  package var verdict: Verdict
  /// The compared values: `2 == 1`; nil where the text says it all.
  package var detail: String?
  /// Whether the rule's verdict depends on the verdict of this part.
  package var decides: Bool
  /// The line where the part begins in the predicate, from 1; nil for elements of lists and in dictionary rules.
  package var line: Int?
  package var column: Int?
  package var parts: [ActivationExplanation]

  /// The verdict of a part.
  package enum Verdict: Sendable, Equatable {
    case holds
    case fails
    /// The number of elements of a list that fit, and the number of all.
    case counts(Int, of: Int)
  }

  /// Creates an explanation of a part, and of the parts within it.
  package init(
    text: String, verdict: Verdict, detail: String? = nil, decides: Bool, line: Int? = nil,
    column: Int? = nil, parts: [ActivationExplanation] = []
  ) {
    self.text = text
    self.verdict = verdict
    self.detail = detail
    self.decides = decides
    self.line = line
    self.column = column
    self.parts = parts
  }
}

extension ActivationExplanation.Verdict {
  init(_ holds: Bool) { self = holds ? .holds : .fails }
}

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

/// Evaluates every part of a predicate, even parts on which the verdict does not depend.
private struct PredicateExplainer {
  private var evaluator: Evaluator
  /// The number of parts that the tree may still gain.
  private var remaining = maximumParts

  /// The maximum number of parts; a tree with more is cut.
  private static let maximumParts = 5_000
  /// The maximum number of visited elements; a predicate that visits more is not taken apart.
  private static let maximumVisits = 20_000
  /// The maximum number of types listed for an attachment or as the reason of a verdict.
  private static let maximumTypes = 6

  static func explain(_ predicate: Predicate, _ items: ResolvedItems) -> ActivationExplanation {
    var evaluator = Evaluator(predicate, items)
    let holds = evaluator.holds(predicate.program.root) && !evaluator.work.isExhausted
    if evaluator.work.elements > maximumVisits {
      return ActivationExplanation(
        text: PredicatePrinter.abbreviating.text(of: predicate.root),
        verdict: ActivationExplanation.Verdict(holds),
        detail: evaluator.work.isExhausted
          ? "given up after \(Work.maximumElements) elements of lists"
          : "\(evaluator.work.elements) elements of lists, too many to be shown",
        decides: true, line: 1, column: 1)
    }
    // Each part is asked again at every level that it is in, and twice where one of several decides.
    let work = Work(elements: 2 * Predicate.maximumDepth * maximumVisits)
    var explainer = PredicateExplainer(evaluator: Evaluator(predicate, items, work))
    return explainer.explain(predicate.root, decides: true)
  }

  private init(evaluator: Evaluator) { self.evaluator = evaluator }

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
      explanation.detail = detail(of: comparison, holds: holds)
      explanation.parts = parts(of: comparison, decides: decides)
    }
    return explanation
  }

  /// Explains each clause. The first one with the verdict `decisive` decides alone; where none has it, all decide
  /// together.
  private mutating func explain(
    _ clauses: [Clause], decides: Bool, decisive: Bool
  ) -> [ActivationExplanation] {
    let first = clauses.firstIndex { evaluator.holds($0) == decisive }
    return clauses.indices.map { place in
      explain(clauses[place], decides: decides && (first == nil || place == first))
    }
  }

  private mutating func detail(of comparison: Comparison, holds: Bool) -> String? {
    switch comparison.shape {
    case .numbers:
      let left = evaluator.number(comparison.left)
      let right = evaluator.number(comparison.right)
      return "\(left) \(comparison.comparator.rawValue) \(right)"
    case .numberInList: return String(evaluator.number(comparison.left))
    case .listHasNumber: return String(evaluator.number(comparison.right))
    case .listHasText: return types(evaluator.elements(of: comparison.left))
    case .texts, .textInList:
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
      ? "no types" : Phrase.first(Self.maximumTypes, of: texts.lazy.map { quoted($0) })
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
    // A variable stands for none of these.
    case .items, .attachments, .texts, .numbers, .number: "element \(place + 1)"
    }
  }
}

extension ResolvedItems {
  /// The attachment's name in messages: `attachment 2 of item 1 (public.jpeg, public.url)`.
  func name(ofAttachment place: Int) -> String {
    let item = items.firstIndex { $0.contains(place) } ?? 0
    let number = place - items[item].lowerBound + 1
    let names = types[attachments[place]].map(\.identifier)
    let list = names.isEmpty ? "no types" : names.joined(separator: ", ")
    return "attachment \(number) of item \(item + 1) (\(list))"
  }
}
