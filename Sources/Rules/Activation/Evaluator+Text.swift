internal import Predicates
internal import UniformTypes

extension Evaluator {
  /// A string: a registered type, by its place, or a literal.
  enum Text {
    case registered(Int)
    case literal(TypeReference)
  }

  /// Places of elements: mostly a range, to avoid allocations.
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
      preconditionFailure("the parser lets no other operand be compared as a string")
    }
  }

  func string(_ text: Text) -> String {
    switch text {
    case .registered(let type): items.types[type].identifier
    case .literal(let reference): reference.identifier
    }
  }

  /// The elements of a list of strings.
  mutating func elements(of list: Expression) -> [Text] {
    if case .list(let elements) = list.kind { return elements.map(text) }
    return places(of: list).map(Text.registered)
  }

  func conforms(_ left: Text, to right: Text) -> Bool {
    if case .registered(let type) = left, case .literal(let reference) = right {
      return items.conforms(type, to: reference)
    }
    return items.library.conforms(string(left), to: string(right))
  }

  func isSame(_ left: Text, _ right: Text) -> Bool {
    if case .registered(let type) = left, case .literal(let reference) = right {
      return items.library.equals(items.types[type], reference)
    }
    return items.library.equals(
      items.library.registered(string(left)), TypeReference(string(right)))
  }

  mutating func equal(_ left: Text, _ right: Text, _ options: TextOptions) -> Bool {
    TextTest.holds(string(left), .equal, string(right), options, &work)
  }

  /// Whether the comparison holds for `left`; its right side is a string too.
  mutating func holds(_ comparison: Comparison, of left: String) -> Bool {
    switch comparison.test {
    case .text(let test): return test.holds(left, &work)
    case .pattern(let pattern): return pattern.matches(left, &work)
    case .list(let texts):
      work.charge(characters: left.utf8.count)
      return texts.contains(FoldedText(left, comparison.options))
    case nil: break
    }
    return TextTest.holds(
      left, comparison.comparator, string(text(comparison.right)), comparison.options, &work)
  }
}
