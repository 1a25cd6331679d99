internal import Predicates
internal import UniformTypes

extension Evaluator {
  /// Whether the step of the program holds; equal to the verdict of the clause that the step was made from.
  mutating func holds(_ step: Int) -> Bool {
    work.charge(characters: 1)
    guard !work.isExhausted else { return false }
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
    work.charge(elements: types.count)
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
      work.charge(elements: 1)
      guard !work.isExhausted else { return count }
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
