internal import Predicates
internal import UniformTypes

/// A predicate in a form that is evaluated without counting references: steps refer to each other by number.
/// The comparisons of real rules have steps of their own; everything else is left to the predicate's tree.
struct Program: Sendable {
  /// The step of the whole predicate.
  private(set) var root = 0
  private(set) var steps: [Step] = []
  /// The steps within each `AND` and `OR`, as consecutive ranges.
  private(set) var members: [Int] = []
  private(set) var loops: [Loop] = []
  private(set) var comparisons: [Comparison] = []

  enum Step: Sendable {
    case constant(Bool)
    case not(Int)
    /// Places in `members`.
    case all(Range<Int>)
    case any(Range<Int>)
    case numbers(Operand, Comparison.Comparator, Operand)
    /// The types of the attachment that a variable stands for, compared with a type of the system.
    case types(slot: Int, Comparison.Quantifier, Relation, TypeNode)
    /// A place in `comparisons`.
    case other(Int)
  }

  enum Relation: Sendable {
    case conforming
    case equal
  }

  /// An operand that is a number: a literal, or the number of elements.
  enum Operand: Sendable {
    case number(Int)
    case items
    case attachments(slot: Int)
    case types(slot: Int)
    /// A place in `loops`.
    case loop(Int)
  }

  /// A `SUBQUERY`.
  struct Loop: Sendable {
    var collection: Operand
    var slot: Int
    var step: Int
  }

  init(_ clause: Clause) { root = add(clause) }

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
    if comparison.shape == .numbers, let left = operand(comparison.left),
      let right = operand(comparison.right)
    {
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

  /// The operand; nil where the expression is neither a number nor a list that can be gone through here.
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
      // One list within another is rare, and left to the tree.
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
