internal import Predicates
internal import UniformTypes

/// Evaluates an activation rule's predicate on shared items.
///
/// The kinds of operands are known from parsing, and the items' types are looked up once for many rules. The evaluator
/// therefore uses prepared tests and indices into ``ResolvedItems``. Declarations have another evaluator, whose values
/// carry their kinds. The two evaluators share the operators on strings and numbers.
struct Evaluator: ClauseEvaluator {
  typealias Language = RuleLanguage
  typealias Failure = Never

  let items: ResolvedItems
  private let program: Program
  /// The current value of each variable, as an index of an item, an attachment or a type.
  private var slots: [Int]
  private(set) var budget: WorkBudget

  init(_ predicate: Predicate, _ items: ResolvedItems, _ budget: WorkBudget = WorkBudget()) {
    self.init(predicate.program, items, variables: predicate.variableCount, budget)
  }

  /// Creates an evaluator for a program and the shared items.
  ///
  /// - Parameter variables: The maximum number of variables that are in scope at the same time.
  init(
    _ program: Program, _ items: ResolvedItems, variables: Int = 0,
    _ budget: WorkBudget = WorkBudget()
  ) {
    self.items = items
    self.program = program
    self.budget = budget
    slots = Array(repeating: 0, count: variables)
  }

  mutating func spendStep() -> Bool {
    budget.consume(characters: 1)
    return !budget.isExhausted
  }

  mutating func holds(_ comparison: Comparison) -> Bool {
    if let outcome = comparison.outcome { return outcome }
    if let quantifier = comparison.quantifier { return holds(comparison, quantifier) }
    switch comparison.shape {
    case .numbers:
      return comparison.comparator.holds(number(comparison.left), number(comparison.right))
    case .numberInList:
      return numbers(comparison.right).contains(number(comparison.left))
    case .numberBetween:
      let bounds = numbers(comparison.right)
      let number = number(comparison.left)
      return bounds[0] <= number && number <= bounds[1]
    case .listHasNumber:
      return numbers(comparison.left).contains(number(comparison.right))
    case .texts, .textInList, .textBetween:
      return holds(comparison, of: text(comparison.left))
    case .listHasText:
      let wanted = text(comparison.right)
      for element in elements(of: comparison.left) {
        budget.consume(elements: 1)
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

  /// Returns the first element of the left operand for which the comparison's result is `outcome`; nil if there is
  /// none.
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

  private mutating func holds(_ comparison: Comparison, of left: Text) -> Bool {
    budget.consume(elements: 1)
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

  private mutating func count(of collection: Expression) -> Int {
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

  /// Returns whether the element with the index `place` satisfies the predicate of `subquery`.
  mutating func isIn(_ place: Int, _ subquery: Subquery) -> Bool {
    budget.consume(elements: 1)
    guard !budget.isExhausted else { return false }
    slots[subquery.variable.slot] = place
    return holds(subquery.predicate)
  }

  /// Gives the variable a value: the index of an item, an attachment or a type.
  mutating func bind(_ variable: Variable, to place: Int) { slots[variable.slot] = place }

  /// Returns the indices of a list's elements. A list of literals has no indices, so the result is empty.
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

  private func place(_ variable: Expression) -> Int {
    guard case .variable(let variable) = variable.kind else {
      preconditionFailure("items and attachments are represented only by variables")
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

// MARK: - Strings

extension Evaluator {
  /// A string operand: a type of an attachment, given by its index, or a literal.
  enum Text {
    case registered(Int)
    case literal(TypeReference)
  }

  /// A sequence of indices. Most sequences are ranges, which need no memory.
  struct Places: Sequence, IteratorProtocol {
    private var range: Range<Int>
    private let list: [Int]?

    init(_ range: Range<Int>) {
      self.range = range
      list = nil
    }

    init(_ list: [Int]) {
      range = list.indices
      self.list = list
    }

    mutating func next() -> Int? {
      guard let place = range.popFirst() else { return nil }
      return list?[place] ?? place
    }
  }

  func text(_ expression: Expression) -> Text {
    switch expression.kind {
    case .text(let literal): .literal(literal.reference)
    case .variable(let variable): .registered(slots[variable.slot])
    case .number, .list, .items, .attachments, .types, .subquery, .count:
      preconditionFailure("the parser allows no other operand in a comparison of strings")
    }
  }

  func string(_ text: Text) -> String {
    switch text {
    case .registered(let type): items.types[type].identifier
    case .literal(let reference): reference.identifier
    }
  }

  mutating func elements(of list: Expression) -> [Text] {
    if case .list(let elements) = list.kind { return elements.map(text) }
    return places(of: list).map(Text.registered)
  }

  private func conforms(_ left: Text, to right: Text) -> Bool {
    if case .registered(let type) = left, case .literal(let reference) = right {
      return items.conforms(type, to: reference)
    }
    return items.library.conforms(string(left), to: string(right))
  }

  private func isSame(_ left: Text, _ right: Text) -> Bool {
    if case .registered(let type) = left, case .literal(let reference) = right {
      return items.library.equals(items.types[type], reference)
    }
    return items.library.equals(
      items.library.registered(string(left)), TypeReference(string(right)))
  }

  private mutating func equal(_ left: Text, _ right: Text, _ options: TextOptions) -> Bool {
    TextTest.holds(string(left), .equal, string(right), options, &budget)
  }

  /// Returns whether the comparison holds for `left`.
  ///
  /// - Precondition: The right operand is a string or has a prepared test.
  private mutating func holds(_ comparison: Comparison, of left: String) -> Bool {
    switch comparison.test {
    case .text(let test): return test.holds(left, &budget)
    case .pattern(let pattern): return pattern.matches(left, &budget)
    case .list(let texts):
      budget.consume(characters: left.utf8.count)
      return texts.contains(FoldedText(left, comparison.options))
    case .bounds(let low, let high):
      return low.holds(left, &budget) && high.holds(left, &budget)
    case nil: break
    }
    return TextTest.holds(
      left, comparison.comparator, string(text(comparison.right)), comparison.options, &budget)
  }
}

// MARK: - Programs

/// A predicate compiled into a list of steps. Steps refer to each other by index, so evaluation needs no reference
/// counting. Only common comparisons are compiled; the others are evaluated on the syntax tree.
struct Program: Sendable {
  /// The index of the step that evaluates the whole predicate, which is the last one.
  var root: Int { steps.count - 1 }
  fileprivate private(set) var steps: [Step] = []
  /// The indices of the steps in each `AND` and `OR`. The steps of one clause are adjacent.
  fileprivate private(set) var members: [Int] = []
  fileprivate private(set) var loops: [Loop] = []
  fileprivate private(set) var comparisons: [Comparison] = []

  fileprivate enum Step: Sendable {
    case constant(Bool)
    case not(Int)
    /// True if all steps in the range hold. The range selects elements of `members`.
    case all(Range<Int>)
    case any(Range<Int>)
    case numbers(Operand, Comparison.Comparator, Operand)
    /// A comparison of an attachment's types with a system type. `slot` is that of the attachment's variable.
    case types(slot: Int, Comparison.Quantifier, Relation, TypeNode)
    /// A comparison that is not compiled, given by its index in `comparisons`.
    case other(Int)
  }

  fileprivate enum Relation: Sendable {
    case conforming
    case equal
  }

  /// A number to compare: a literal, or the number of elements of a list.
  fileprivate enum Operand: Sendable {
    case number(Int)
    case items
    case attachments(slot: Int)
    case types(slot: Int)
    /// The number of elements that a `SUBQUERY` finds, given by its index in `loops`.
    case loop(Int)
  }

  /// A compiled `SUBQUERY`.
  fileprivate struct Loop: Sendable {
    var collection: Operand
    var slot: Int
    var step: Int
  }

  /// Creates a program without steps, which suffices to evaluate comparisons of literals.
  init() {}

  init(_ clause: Clause) { _ = add(clause) }

  private mutating func add(_ clause: Clause) -> Int {
    let step: Step =
      switch clause.kind {
      case .constant(let holds): .constant(holds)
      case .not(let inner): .not(add(inner))
      case .all(let clauses): .all(add(clauses))
      case .any(let clauses): .any(add(clauses))
      case .comparison(let comparison): self.step(comparison)
      }
    steps.append(step)
    return steps.count - 1
  }

  private mutating func add(_ clauses: [Clause]) -> Range<Int> {
    let added = clauses.map { add($0) }
    let start = members.count
    members += added
    return start..<members.count
  }

  private mutating func step(_ comparison: Comparison) -> Step {
    if let outcome = comparison.outcome { return .constant(outcome) }
    if let left = operand(comparison.left), let right = operand(comparison.right) {
      return .numbers(left, comparison.comparator, right)
    }
    if let quantifier = comparison.quantifier, case .types(let attachment) = comparison.left.kind,
      case .variable(let variable) = attachment.kind,
      case .text(let literal) = comparison.right.kind,
      let node = literal.reference.systemNode, let relation = Relation(comparison.comparator)
    {
      return .types(slot: variable.slot, quantifier, relation, node)
    }
    comparisons.append(comparison)
    return .other(comparisons.count - 1)
  }

  /// Compiles a numeric operand. Returns nil unless the expression is a number, or the count of a list that can be
  /// compiled.
  private mutating func operand(_ expression: Expression) -> Operand? {
    switch expression.kind {
    case .number(let number): .number(number)
    case .count(let collection): self.collection(collection)
    case .text, .list, .items, .variable, .attachments, .types, .subquery: nil
    }
  }

  private mutating func collection(_ expression: Expression) -> Operand? {
    switch expression.kind {
    case .items: return .items
    case .attachments(let item): return item.slot.map { .attachments(slot: $0) }
    case .types(let attachment): return attachment.slot.map { .types(slot: $0) }
    case .subquery(let subquery):
      guard let collection = collection(subquery.collection) else { return nil }
      // A subquery of a subquery is rare, so it is evaluated on the syntax tree.
      if case .loop = collection { return nil }
      let step = add(subquery.predicate)
      loops.append(Loop(collection: collection, slot: subquery.variable.slot, step: step))
      return .loop(loops.count - 1)
    case .number, .text, .list, .variable, .count: return nil
    }
  }
}

extension Program.Relation {
  fileprivate init?(_ comparator: Comparison.Comparator) {
    switch comparator {
    case .conformsTo: self = .conforming
    case .typeEquals: self = .equal
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith,
      .contains, .isIn, .like, .matches, .between:
      return nil
    }
  }
}

extension Expression {
  fileprivate var slot: Int? {
    if case .variable(let variable) = kind { variable.slot } else { nil }
  }
}

extension Evaluator {
  /// Evaluates a step. Returns the value of the clause from which the step was compiled; false if the budget is
  /// exhausted.
  mutating func holds(_ step: Int) -> Bool {
    budget.consume(characters: 1)
    guard !budget.isExhausted else { return false }
    switch program.steps[step] {
    case .constant(let holds): return holds
    case .not(let inner): return !holds(inner)
    case .all(let members):
      for place in members where !holds(program.members[place]) { return false }
      return true
    case .any(let members):
      for place in members where holds(program.members[place]) { return true }
      return false
    case .numbers(let left, let comparator, let right):
      return comparator.holds(number(left), number(right))
    case .types(let slot, let quantifier, let relation, let wanted):
      return holds(items.attachments[slots[slot]], quantifier, relation, wanted)
    case .other(let place): return holds(program.comparisons[place])
    }
  }

  private mutating func holds(
    _ types: Range<Int>, _ quantifier: Comparison.Quantifier, _ relation: Program.Relation,
    _ wanted: TypeNode
  ) -> Bool {
    budget.consume(elements: types.count)
    for type in types where isRelated(type, relation, wanted) != (quantifier == .all) {
      return quantifier == .any || quantifier == .some
    }
    return quantifier == .all || quantifier == .no
  }

  private func isRelated(_ type: Int, _ relation: Program.Relation, _ wanted: TypeNode) -> Bool {
    guard let node = items.types[type].node else { return false }
    switch relation {
    case .conforming: return items.library.conforms(node, to: wanted)
    case .equal: return node == wanted
    }
  }

  private mutating func number(_ operand: Program.Operand) -> Int {
    if case .number(let number) = operand { return number }
    guard case .loop(let loop) = operand else { return range(operand).count }
    return count(program.loops[loop])
  }

  private mutating func count(_ loop: Program.Loop) -> Int {
    var count = 0
    for place in range(loop.collection) {
      budget.consume(elements: 1)
      guard !budget.isExhausted else { return count }
      slots[loop.slot] = place
      if holds(loop.step) { count += 1 }
    }
    return count
  }

  private func range(_ operand: Program.Operand) -> Range<Int> {
    switch operand {
    case .items: items.items.indices
    case .attachments(let slot): items.items[slots[slot]]
    case .types(let slot): items.attachments[slots[slot]]
    case .number, .loop: 0..<0
    }
  }
}
