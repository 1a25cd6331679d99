internal import Predicates

extension ConditionParser {
  private static let words: [String: PredicateOperator] = [
    "IN": .isIn, "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith,
    "LIKE": .like,
  ]

  private static let symbols: [String: PredicateOperator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  private static let literals: [String: StatusValue] = [
    "TRUE": .boolean(true), "YES": .boolean(true), "FALSE": .boolean(false), "NO": .boolean(false),
    "NULL": .null, "NIL": .null,
  ]

  func relation(of token: ConditionToken) -> ConditionComparison.Relation? {
    switch token.kind {
    case .word where token.isWord("BETWEEN"): .between
    case .word(let word): Self.words[word.uppercased()].map { .comparing($0) }
    case .symbol(let symbol): Self.symbols[symbol].map { .comparing($0) }
    default: nil
    }
  }

  mutating func comparison() throws(ConditionError) -> ConditionNode {
    var quantifier: ConditionComparison.Quantifier?
    if skipWord("ANY") || skipWord("SOME") {
      quantifier = .any
    } else if skipWord("ALL") {
      quantifier = .all
    } else if skipWord("NONE") {
      quantifier = ConditionComparison.Quantifier.none
    }
    let left = try operand()
    guard let relation = relation(of: token) else {
      if token.isWord("MATCHES") {
        throw ConditionError(
          "`MATCHES` is not simulated; `LIKE` with `*` and `?` is", at: token.offset)
      }
      throw unexpected("an operator such as `==` or `IN`")
    }
    let place = token.offset
    advance()
    let options = try options()
    guard options.isEmpty || relation.hasOptions else {
      throw ConditionError("no `[c]` or `[d]` may follow this operator", at: place)
    }
    let right = try operand()
    return .comparison(
      ConditionComparison(
        quantifier: quantifier, left: left, relation: relation, options: options, right: right))
  }

  private mutating func options() throws(ConditionError) -> TextOptions {
    guard skip("[") else { return [] }
    guard case .word(let letters) = token.kind, let options = TextOptions(letters: letters) else {
      throw unexpected("`c`, `d` or `cd`")
    }
    advance()
    try expect("]", "after the options")
    return options
  }

  mutating func operand() throws(ConditionError) -> ConditionOperand {
    var operand = try nested { parser throws(ConditionError) in try parser.root() }
    while token.kind == .symbol(".") {
      advance()
      switch token.kind {
      case .function("key", let name): operand = .key(operand, name)
      case .operation("count"): operand = .count(operand)
      case .word(let name):
        throw ConditionError(
          "keys are written `.@key(\(name))`, found `.\(name)`", at: token.offset)
      default: throw unexpected("`@key(…)` or `@count` after `.`")
      }
      advance()
    }
    return operand
  }

  private mutating func root() throws(ConditionError) -> ConditionOperand {
    let start = token
    let place = index
    advance()
    switch start.kind {
    case .string(let text): return .value(.string(text))
    case .integer(let number): return .value(.integer(number))
    case .real(let number): return .value(.real(number))
    case .function("status", let name):
      statusItems.append(.init(name: name, offset: start.offset))
      return .status(name)
    case .function("property", let name): return .property(name)
    case .variable(let name):
      guard variables.contains(name) else {
        throw ConditionError("`$\(name)` is not the variable of a `SUBQUERY`", at: start.offset)
      }
      return .variable(name)
    case .symbol("("):
      let operand = try operand()
      try expect(")", "after the value in brackets")
      return operand
    case .symbol("{"): return .list(try list())
    case .symbol("-"): return try negative()
    case .word(let word): return try word.uppercased() == "SUBQUERY" ? subquery() : literal(start)
    default:
      index = place
      throw unexpected("a value")
    }
  }

  private mutating func negative() throws(ConditionError) -> ConditionOperand {
    defer { advance() }
    switch token.kind {
    case .integer(let number): return .value(.integer(-number))
    case .real(let number): return .value(.real(-number))
    default: throw unexpected("a number after `-`")
    }
  }

  private func literal(_ token: ConditionToken) throws(ConditionError) -> ConditionOperand {
    guard case .word(let word) = token.kind else { throw unexpected("a value") }
    if let literal = Self.literals[word.uppercased()] { return .value(literal) }
    throw ConditionError(
      "expected a value, found the bare name `\(word)`; status items are written `@status(…)`, "
        + "strings in quotation marks", at: token.offset)
  }

  private mutating func list() throws(ConditionError) -> [ConditionOperand] {
    var operands: [ConditionOperand] = []
    if skip("}") { return operands }
    repeat { operands.append(try operand()) } while skip(",")
    try expect("}", "after the values")
    return operands
  }

  /// Behind its name.
  private mutating func subquery() throws(ConditionError) -> ConditionOperand {
    try expect("(", "after `SUBQUERY`")
    let collection = try operand()
    try expect(",", "after the collection")
    guard case .variable(let name) = token.kind else {
      throw unexpected("a variable such as `$item`")
    }
    advance()
    try expect(",", "after the variable")
    variables.append(name)
    let node = try nested { parser throws(ConditionError) in try parser.disjunction() }
    variables.removeLast()
    try expect(")", "after the predicate of `SUBQUERY`")
    return .subquery(collection, variable: name, node)
  }
}
