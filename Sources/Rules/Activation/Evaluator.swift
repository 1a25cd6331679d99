internal import Predicates
internal import UniformTypes

/// Evaluates a predicate on shared items.
///
/// Kinds of values are known when a rule is read, and shared items are looked up once for many rules: this goes
/// through places in ``ResolvedItems`` and uses prepared tests, where conditions of declarations compare values that
/// carry their kinds. Both share the code for the operators on strings and numbers.
struct Evaluator: ClauseEvaluator {
  typealias Language = RuleLanguage
  typealias Failure = Never

  let items: ResolvedItems
  let program: Program
  /// The value of each variable: the place of an item, an attachment or a type.
  var slots: [Int]
  var work: Work

  init(_ predicate: Predicate, _ items: ResolvedItems, _ work: Work = Work()) {
    self.init(predicate.program, items, variables: predicate.variableCount, work)
  }

  /// - Parameter variables: The maximum number of variables that are visible at once.
  init(_ program: Program, _ items: ResolvedItems, variables: Int, _ work: Work = Work()) {
    self.items = items
    self.program = program
    self.work = work
    slots = Array(repeating: 0, count: variables)
  }

  mutating func spendStep() -> Bool {
    work.charge(characters: 1)
    return !work.isExhausted
  }

  mutating func holds(_ comparison: Comparison) -> Bool {
    if let outcome = comparison.outcome { return outcome }
    if let quantifier = comparison.quantifier { return holds(comparison, quantifier) }
    switch comparison.shape {
    case .numbers:
      return comparison.comparator.holds(number(comparison.left), number(comparison.right))
    case .numberInList:
      return numbers(comparison.right).contains(number(comparison.left))
    case .listHasNumber:
      return numbers(comparison.left).contains(number(comparison.right))
    case .texts, .textInList:
      return holds(comparison, of: text(comparison.left))
    case .listHasText:
      let wanted = text(comparison.right)
      for element in elements(of: comparison.left) {
        work.charge(elements: 1)
        if equal(element, wanted, comparison.options) { return true }
      }
      return false
    }
  }

  private mutating func holds(
    _ comparison: Comparison, _ quantifier: Comparison.Quantifier
  ) -> Bool {
    let isWanted = quantifier != .all
    let found = first(of: comparison, where: isWanted) != nil
    switch quantifier {
    case .any, .some: return found
    case .all, .no: return !found
    }
  }

  /// The first element on the left for which the comparison comes to `outcome`; nil where there is none.
  mutating func first(of comparison: Comparison, where outcome: Bool) -> Text? {
    if case .types(let attachment) = comparison.left.kind {
      for type in items.attachments[place(attachment)]
      where holds(comparison, of: .registered(type)) == outcome {
        return .registered(type)
      }
      return nil
    }
    for element in elements(of: comparison.left)
    where holds(comparison, of: element) == outcome {
      return element
    }
    return nil
  }

  /// Whether `left` compares with the right side as the comparison asks.
  private mutating func holds(_ comparison: Comparison, of left: Text) -> Bool {
    work.charge(elements: 1)
    if comparison.shape == .textInList, comparison.test == nil {
      for element in elements(of: comparison.right)
      where equal(left, element, comparison.options) { return true }
      return false
    }
    switch comparison.comparator {
    case .conformsTo: return conforms(left, to: text(comparison.right))
    case .typeEquals: return isSame(left, text(comparison.right))
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith,
      .contains, .isIn, .like, .matches, .between:
      return holds(comparison, of: string(left))
    }
  }

  /// The number of elements in the list.
  mutating func count(of collection: Expression) -> Int {
    switch collection.kind {
    case .items: items.items.count
    case .attachments(let item): items.items[place(item)].count
    case .types(let attachment): items.attachments[place(attachment)].count
    case .list(let elements): elements.count
    case .subquery(let subquery): count(of: subquery)
    case .number, .text, .variable, .count: 0
    }
  }

  private mutating func count(of subquery: Subquery) -> Int {
    var count = 0
    for place in places(of: subquery.collection) where isIn(place, subquery) { count += 1 }
    return count
  }

  /// Whether the predicate of `subquery` holds for the element at `place`.
  mutating func isIn(_ place: Int, _ subquery: Subquery) -> Bool {
    work.charge(elements: 1)
    guard !work.isExhausted else { return false }
    slots[subquery.variable.slot] = place
    return holds(subquery.predicate)
  }

  /// The places of the elements of a list that is not a list of literals.
  mutating func places(of collection: Expression) -> Places {
    switch collection.kind {
    case .items: Places(items.items.indices)
    case .attachments(let item): Places(items.items[place(item)])
    case .types(let attachment): Places(items.attachments[place(attachment)])
    case .subquery(let subquery): Places(places(of: subquery))
    case .list, .number, .text, .variable, .count: Places([])
    }
  }

  private mutating func places(of subquery: Subquery) -> [Int] {
    var found: [Int] = []
    for place in places(of: subquery.collection) where isIn(place, subquery) {
      found.append(place)
    }
    return found
  }

  /// The place of the item or attachment that a variable stands for.
  private func place(_ variable: Expression) -> Int {
    guard case .variable(let variable) = variable.kind else {
      preconditionFailure("only variables stand for items and attachments")
    }
    return slots[variable.slot]
  }

  mutating func number(_ expression: Expression) -> Int {
    switch expression.kind {
    case .number(let number): number
    case .count(let collection): count(of: collection)
    case .text, .list, .items, .variable, .attachments, .types, .subquery: 0
    }
  }

  private func numbers(_ list: Expression) -> [Int] {
    guard case .list(let elements) = list.kind else { return [] }
    return elements.compactMap { if case .number(let number) = $0.kind { number } else { nil } }
  }
}
