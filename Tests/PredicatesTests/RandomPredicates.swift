import TestSupport

/// Draws predicates that activation rules and conditions of declarations can both express.
struct RandomPredicates {
  private var generator: SeededGenerator
  /// The operators that only one of the two languages has.
  private let own: [String]

  init(seed: UInt64, own: [String] = []) {
    generator = SeededGenerator(seed: seed)
    self.own = own
  }

  mutating func scope() -> [String] { texts(0...3) }

  mutating func predicate(depth: Int = 3) -> NaivePredicate {
    switch depth > 0 ? Int.random(in: 0...8, using: &generator) : 8 {
    case 0: .constant(once(in: 2))
    case 1: .not(predicate(depth: depth - 1))
    case 2, 3: .all(parts(depth: depth))
    case 4, 5: .any(parts(depth: depth))
    default:  // open: the last of the numbers
      .comparison(comparison())
    }
  }

  private mutating func parts(depth: Int) -> [NaivePredicate] {
    (0..<Int.random(in: 2...3, using: &generator)).map { _ in predicate(depth: depth - 1) }
  }

  private mutating func comparison() -> NaiveComparison {
    switch Int.random(in: own.isEmpty ? 0...6 : 0...9, using: &generator) {
    case 0: numbers()
    case 1: once(in: 2) ? isIn(number(), .numbers(numbers(1...3))) : hasNumber()
    case 2: isIn(text(), list())
    case 3: NaiveComparison(left: list(), comparator: "CONTAINS", options: options(), right: text())
    case 4: quantified()
    case 5, 6: texts()
    default:  // open: the last of the numbers
      ownComparison()
    }
  }

  private mutating func numbers() -> NaiveComparison {
    NaiveComparison(
      left: number(), comparator: pick(["==", "!=", "<", "<=", ">", ">="]), right: number())
  }

  private mutating func hasNumber() -> NaiveComparison {
    NaiveComparison(left: .numbers(numbers(1...3)), comparator: "CONTAINS", right: number())
  }

  private mutating func isIn(_ left: NaiveOperand, _ list: NaiveOperand) -> NaiveComparison {
    NaiveComparison(
      left: left, comparator: "IN", options: left.isNumeric ? "" : options(), right: list)
  }

  private mutating func texts() -> NaiveComparison {
    let comparator = pick([
      "==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN",
    ])
    let orders = comparator.hasPrefix("<") || comparator.hasPrefix(">")
    return NaiveComparison(
      left: text(), comparator: comparator, options: orders ? "" : options(), right: text())
  }

  private mutating func quantified() -> NaiveComparison {
    var comparison = once(in: 4) ? isIn(text(), list()) : texts()
    comparison.quantifier = pick(["ANY", "SOME", "ALL", "NONE"])
    comparison.left = list()
    return comparison
  }

  private mutating func ownComparison() -> NaiveComparison {
    let comparator = pick(own)
    guard comparator == "BETWEEN" else {
      let pattern = pick(["a", "[ab]*", "(a|b)+", "a?b", ".*[^a]", "A.", "é*", "(aa|b){1,2}"])
      return NaiveComparison(left: text(), comparator: comparator, right: .text(pattern))
    }
    if once(in: 2) {
      return NaiveComparison(
        left: number(), comparator: comparator, right: .numbers(numbers(2...2)))
    }
    return NaiveComparison(left: text(), comparator: comparator, right: .texts(texts(2...2)))
  }

  private mutating func options() -> String { pick(["", "", "", "c", "d", "cd"]) }

  private mutating func text() -> NaiveOperand { once(in: 2) ? .theText : .text(letters()) }

  private mutating func list() -> NaiveOperand { once(in: 2) ? .theTexts : .texts(texts(0...3)) }

  private mutating func number() -> NaiveOperand {
    once(in: 2) ? .theCount : .number(Int.random(in: -1...4, using: &generator))
  }

  private mutating func numbers(_ count: ClosedRange<Int>) -> [Int] {
    (0..<Int.random(in: count, using: &generator)).map { _ in
      Int.random(in: -1...4, using: &generator)
    }
  }

  private mutating func texts(_ count: ClosedRange<Int>) -> [String] {
    (0..<Int.random(in: count, using: &generator)).map { _ in letters() }
  }

  private mutating func letters() -> String {
    let letters = once(in: 4) ? Array("aAéÉ*?\\'\"\n\t. ") : Array("aabAé*")
    return String((0..<Int.random(in: 0...4, using: &generator)).map { _ in pick(letters) })
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private mutating func once(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &generator) == 0
  }
}
