extension PredicateParser {
  /// Reads an operand with its keys.
  ///
  /// - Parameter place: the expectation that is stated where there is no operand.
  mutating func operand(_ place: PredicateExpectation) throws(Failure) -> Expression {
    let start = token
    try descend(operandLevels)
    let root = try root(place)
    ascend(operandLevels)
    return try path(from: root, at: start)
  }

  private var operandLevels: Int { dialect.has(.levelsOfOperands) ? 1 : 0 }

  /// Reads the keys that follow `root`.
  mutating func path(
    from root: Expression, at start: PredicateToken
  ) throws(Failure) -> Expression {
    var path = root
    while skip(".") {
      let kind = try Language.key(of: path, &self)
      path = Expression(kind: kind, part: part(from: start))
    }
    return path
  }

  private mutating func root(_ place: PredicateExpectation) throws(Failure) -> Expression {
    let start = token
    if start.isSymbol("(") { return try bracket(place) }
    let kind: Language.Operand
    if let value = start.literal {
      advance()
      kind = .literal(value)
    } else if skip("-") {
      kind = .literal(try negated())
    } else if skip("{") {
      kind = .list(try elements())
    } else if case .variable(let name) = start.kind {
      kind = .variable(try variable(name))
    } else if skipWord("SUBQUERY") {
      kind = .subquery(try subquery())
    } else if let own = try Language.operand(&self) {
      kind = own
    } else {
      throw unexpected(place)
    }
    return Expression(kind: kind, part: part(from: start))
  }

  private mutating func bracket(_ place: PredicateExpectation) throws(Failure) -> Expression {
    let start = token
    guard case .expression(let expression) = try group() else {
      throw failure(.predicateInBrackets(expected: place), at: start.part)
    }
    return expression
  }

  private mutating func negated() throws(Failure) -> PredicateValue {
    switch token.kind {
    case .integer(let number):
      advance()
      return .integer(0 &- number)
    case .real(let number):
      advance()
      return .real(-number)
    case .word, .variable, .string, .function, .operation, .symbol, .end:
      throw unexpected(.negated)
    }
  }

  private mutating func elements() throws(Failure) -> [Expression] {
    var elements: [Expression] = []
    while elements.isEmpty || skip(",") {
      let mayEnd = elements.isEmpty || !dialect.has(.listsOfOperands)
      if mayEnd, token.isSymbol("}") { break }
      elements.append(try element(beside: elements.first))
    }
    try expect("}", .listEnd)
    return elements
  }

  private mutating func element(beside first: Expression?) throws(Failure) -> Expression {
    if dialect.has(.listsOfOperands) { return try operand(.value) }
    let start = token
    guard start.literal != nil || start.isSymbol("-") else { throw unexpected(.element) }
    let element = try root(.value)
    if let first { try Language.check(element, beside: first, at: start) }
    return element
  }

  private mutating func variable(
    _ name: String
  ) throws(Failure) -> PredicateVariable<Language> {
    guard let variable = variables.last(where: { $0.name == name }) else {
      throw failure(.unknownVariable(name, known: variables.map(\.name)), at: token.part)
    }
    advance()
    return variable
  }

  /// Reads a subquery, after its name.
  private mutating func subquery() throws(Failure) -> PredicateSubquery<Language> {
    try descend(1 - operandLevels)
    try expect("(", .subqueryStart)
    let collection = try operand(.collection)
    let element = try Language.element(of: collection)
    try expect(",", .collectionEnd)
    guard case .variable(let name) = token.kind else { throw unexpected(.variable) }
    advance()
    try expect(",", .variableEnd)
    let variable = PredicateVariable<Language>(name: name, slot: variables.count, kind: element)
    variables.append(variable)
    mostVariables = max(mostVariables, variables.count)
    try descend(operandLevels)
    let content = try disjunction()
    let predicate = try clause(content)
    ascend(operandLevels)
    variables.removeLast()
    try expect(")", .subqueryEnd)
    ascend(1 - operandLevels)
    return PredicateSubquery(collection: collection, variable: variable, predicate: predicate)
  }
}

extension PredicateToken {
  /// The value of a literal; nil for a token that is no string and no number.
  fileprivate var literal: PredicateValue? {
    switch kind {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .word, .variable, .function, .operation, .symbol, .end: nil
    }
  }
}
