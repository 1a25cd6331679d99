internal import Predicates
internal import UniformTypes

/// Asks a predicate about items.
///
/// Kinds of values are known when a rule is read, and what is shared is looked up once for many rules: this goes through
/// places in ``ResolvedItems`` and asks what was prepared, where conditions of declarations compare values that come with
/// their kinds. What operators say of strings and numbers is the same code.
struct Evaluator: ClauseEvaluator {
  typealias Language = RuleLanguage
  typealias Failure = Never

  let items: ResolvedItems
  let program: Program
  /// What each variable stands for: the place of an item, an attachment or a type.
  var slots: [Int]
  var work: Work

  init(_ predicate: Predicate, _ items: ResolvedItems, _ work: Work = Work()) {
    self.init(predicate.program, items, variables: predicate.variableCount, work)
  }

  /// - Parameter variables: how many are visible at once at most.
  init(_ program: Program, _ items: ResolvedItems, variables: Int, _ work: Work = Work()) {
    self.items = items
    self.program = program
    self.work = work
    slots = Array(repeating: 0, count: variables)
  }

  mutating func mayAsk() -> Bool {
    work.look()
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
        work.visit()
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

  /// Whether `left` compares so with the right side.
  private mutating func holds(_ comparison: Comparison, of left: Text) -> Bool {
    work.visit()
    if comparison.shape == .textInList, comparison.test == nil {
      for element in elements(of: comparison.right)
      where equal(left, element, comparison.options) { return true }
      return false
    }
    switch comparison.comparator {
    case .conformsTo: return conforms(left, to: text(comparison.right))
    case .typeEquals: return isSame(left, text(comparison.right))
    default: return holds(comparison, of: string(left))
    }
  }

  /// How many elements the list has.
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
    work.visit()
    guard !work.isExhausted else { return false }
    slots[subquery.variable.slot] = place
    return holds(subquery.predicate)
  }

  /// Where the elements of a list are that is none of literals.
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

  /// Where the item or attachment is that a variable stands for.
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
