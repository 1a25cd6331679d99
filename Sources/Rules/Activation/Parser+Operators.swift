internal import Predicates
internal import UniformTypes

extension Parser {
  private static let symbols: [String: Comparison.Comparator] = [
    "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less,
    "<=": .lessOrEqual, "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
    "=>": .greaterOrEqual,
  ]

  /// Steps over an operator; nil where none is next.
  mutating func comparator() -> Comparison.Comparator? {
    switch token.kind {
    case .symbol(let symbol):
      guard let comparator = Self.symbols[symbol] else { return nil }
      _ = advance()
      return comparator
    case .word:
      let found = Comparison.Comparator.allCases.first { token.isWord($0.rawValue) }
      if found != nil { _ = advance() }
      return found
    case .variable, .string, .integer, .end: return nil
    }
  }

  /// `[c]`, `[d]`, `[cd]` behind an operator on strings.
  mutating func options(
    of comparator: Comparison.Comparator
  ) throws(PredicateError) -> TextOptions {
    guard token.isSymbol("[") else { return [] }
    if comparator == .conformsTo || comparator == .typeEquals {
      throw unexpected("a string after `\(comparator.rawValue)`, which ignores case as it is")
    }
    _ = advance()
    guard case .word(let letters) = token.kind, let options = TextOptions(letters: letters) else {
      throw unexpected("`c`, `d` or `cd`")
    }
    _ = advance()
    _ = try expect("]", "after the options")
    return options
  }

  /// Whether the operator can compare these two.
  func check(_ comparison: Comparison, at token: Token) throws(PredicateError) {
    let leftKind = comparison.left.valueKind
    let left = comparison.quantifier == nil ? leftKind : leftKind.element ?? leftKind
    let right = comparison.right.valueKind
    let name = comparison.comparator.rawValue
    guard let wanted = comparison.comparator.right(for: left) else {
      let noun = comparison.comparator.leftNoun
      // A list in place of its elements is the common slip.
      let suggestion = left == .texts && noun == ValueKind.text.noun ? "ANY" : nil
      throw error(
        at: comparison.left.part, expected: "\(noun) on the left of `\(name)`", found: left.noun,
        suggestion: suggestion)
    }
    guard wanted.contains(right) else {
      let nouns = wanted.map(\.noun).joined(separator: " or ")
      throw error(
        at: comparison.right.part, expected: "\(nouns) on the right of `\(name)`",
        found: right.noun)
    }
    if !comparison.options.isEmpty, left == .number || left == .numbers {
      throw error(
        at: token.part, expected: "`\(name)` without options between numbers",
        found: "`\(name)` with options")
    }
  }

  /// What is known of a comparison before anything is shared.
  func prepare(_ comparison: inout Comparison) throws(PredicateError) {
    comparison.test = try test(of: comparison)
    guard comparison.isOfLiterals else { return }
    var evaluator = Evaluator(
      Program(Clause(kind: .constant(true), part: comparison.left.part)),
      ResolvedItems([], types: .system), variables: 0)
    let outcome = evaluator.holds(comparison)
    guard !evaluator.work.isExhausted else {
      throw error(
        at: comparison.left.part,
        expected: "shorter strings around `\(comparison.comparator.rawValue)`",
        found: "one that takes too long to compare")
    }
    comparison.outcome = outcome
  }

  private func test(of comparison: Comparison) throws(PredicateError) -> Comparison.Test? {
    if comparison.comparator == .matches {
      return .pattern(try pattern(of: comparison.right, options: comparison.options))
    }
    switch (comparison.shape, comparison.right.kind, comparison.comparator.predicateOperator) {
    case (.texts, .text(let literal), let comparator?):
      return .text(TextTest(comparator, literal.text, comparison.options))
    case (.textInList, .list(let elements), _):
      let texts = elements.compactMap {
        if case .text(let text) = $0.kind { text.text } else { nil }
      }
      return .list(Set(texts.map { FoldedText($0, comparison.options) }))
    default: return nil
    }
  }

  /// What `MATCHES` compares with.
  private func pattern(
    of expression: Expression, options: TextOptions
  ) throws(PredicateError) -> Pattern {
    guard case .text(let literal) = expression.kind else {
      throw error(
        at: expression.part, expected: "a string in quotes on the right of `MATCHES`",
        found: "another operand")
    }
    do {
      return try Pattern(literal.text, options: options)
    } catch {
      throw self.error(
        at: expression.part, expected: "a regular expression", found: error.message)
    }
  }
}

extension Comparison.Comparator {
  /// What it compares a value of this kind with; nil where it compares none such.
  func right(for left: ValueKind) -> [ValueKind]? {
    switch (self, left) {
    case (.conformsTo, .text), (.typeEquals, .text), (.beginsWith, .text), (.endsWith, .text),
      (.like, .text), (.matches, .text), (.contains, .text), (.contains, .texts):
      [.text]
    case (.contains, .numbers): [.number]
    case (.isIn, .text): [.texts, .text]
    case (.isIn, .number): [.numbers]
    case (.equal, .text), (.notEqual, .text), (.less, .text), (.lessOrEqual, .text),
      (.greater, .text), (.greaterOrEqual, .text):
      [.text]
    case (.equal, .number), (.notEqual, .number), (.less, .number), (.lessOrEqual, .number),
      (.greater, .number), (.greaterOrEqual, .number):
      [.number]
    default: nil
    }
  }

  /// What must stand on its left.
  var leftNoun: String {
    switch self {
    case .conformsTo, .typeEquals, .beginsWith, .endsWith, .like, .matches: ValueKind.text.noun
    case .contains: "a string or a list"
    case .isIn, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      "a string or a number"
    }
  }
}

extension Token {
  /// A keyword as the documentation writes it.
  var upperCased: String {
    guard case .word(let word) = kind else { return "" }
    return word.uppercased()
  }
}
