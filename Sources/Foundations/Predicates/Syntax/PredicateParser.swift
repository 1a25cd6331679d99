/// Reads predicates by recursive descent.
///
///     predicate  = and { ("OR" | "||") and }
///     and        = not { ("AND" | "&&") not }
///     not        = ("NOT" | "!") not | "TRUEPREDICATE" | "FALSEPREDICATE"
///                | "(" predicate ")" | comparison
///     comparison = [ "ANY" | "SOME" | "ALL" | "NONE" ] operand operator [ "[" options "]" ] operand
///     operand    = root { "." key }
///     root       = own | variable | string | [ "-" ] number | "{" operands "}"
///                | "SUBQUERY" "(" operand "," variable "," predicate ")" | "(" operand ")"
///
/// `own` and `key` depend on the language.
package struct PredicateParser<Language: PredicateLanguage> {
  package typealias Failure = Language.Failure
  package typealias Clause = PredicateClause<Language>
  package typealias Expression = PredicateExpression<Language>

  private let dialect = Language.dialect
  /// All tokens of the text. The last one is `.end`.
  package let tokens: [PredicateToken]
  private var index = 0
  private var depth = 0
  /// The variables in scope, innermost last.
  private var variables: [PredicateVariable<Language>] = []
  /// The largest number of variables that were in scope at once.
  package private(set) var mostVariables = 0

  /// Splits `source` into tokens.
  ///
  /// - Throws: The language's error if the text is too long or contains an invalid token.
  package init(_ source: String) throws(Failure) {
    var lexer = PredicateLexer<Language>(source)
    let length = source.utf8.count
    guard length <= dialect.maximumLength else {
      throw lexer.failure(.tooLong(bytes: length), at: lexer.here)
    }
    tokens = try lexer.tokens()
  }

  /// Parses the whole text.
  package mutating func predicate() throws(Failure) -> Clause {
    guard token.kind != .end else { throw failure(.empty, at: token.part) }
    let content = try disjunction()
    let clause = try clause(content)
    guard token.kind == .end else { throw unexpected(.end) }
    return clause
  }

  package var token: PredicateToken { tokens[index] }

  @discardableResult
  package mutating func advance() -> PredicateToken {
    defer { index = min(index + 1, tokens.count - 1) }
    return tokens[index]
  }

  /// Consumes the next token if it is `symbol`; returns whether it was consumed.
  package mutating func skip(_ symbol: String) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  private mutating func skipWord(_ keyword: String) -> Bool {
    guard token.isWord(keyword) else { return false }
    advance()
    return true
  }

  private mutating func expect(_ symbol: String, _ expectation: PredicateExpectation)
    throws(Failure)
  {
    guard skip(symbol) else { throw unexpected(expectation) }
  }

  /// Returns the source part from `start` to the last consumed token.
  private func part(from start: PredicateToken) -> SourcePart {
    start.part.through(tokens[index - 1].part)
  }

  /// Adds `levels` to the nesting depth; ``ascend(_:)`` subtracts them.
  private mutating func descend(_ levels: Int) throws(Failure) {
    depth += levels
    guard depth <= dialect.maximumDepth else { throw failure(.tooDeep, at: token.part) }
  }

  private mutating func ascend(_ levels: Int) { depth -= levels }

  package func unexpected(_ expectation: PredicateExpectation) -> Failure {
    failure(.token(token, expected: expectation), at: token.part)
  }

  private func failure(_ kind: PredicateSyntaxError.Kind, at part: SourcePart) -> Failure {
    Language.failure(PredicateSyntaxError(kind: kind, part: part))
  }
}

// MARK: - Clauses

extension PredicateParser {
  /// A clause, or an operand with which a clause may begin.
  private enum Content {
    case clause(Clause)
    /// An operand, which an operator or a closing parenthesis must follow.
    case expression(Expression)
  }

  /// Returns the clause in `content`.
  ///
  /// - Throws: The language's error if `content` is an operand.
  private func clause(_ content: Content) throws(Failure) -> Clause {
    switch content {
    case .clause(let clause): return clause
    case .expression: throw unexpected(.comparator)
    }
  }

  private mutating func disjunction() throws(Failure) -> Content {
    let start = token
    let first = try conjunction()
    guard case .clause(let clause) = first, skip("||") || skipWord("OR") else { return first }
    var clauses = [clause]
    repeat {
      let next = try conjunction()
      clauses.append(try self.clause(next))
    } while skip("||") || skipWord("OR")
    return .clause(Clause(kind: .any(clauses), part: part(from: start)))
  }

  private mutating func conjunction() throws(Failure) -> Content {
    let start = token
    let first = try negation()
    guard case .clause(let clause) = first, skip("&&") || skipWord("AND") else { return first }
    var clauses = [clause]
    repeat {
      let next = try negation()
      clauses.append(try self.clause(next))
    } while skip("&&") || skipWord("AND")
    return .clause(Clause(kind: .all(clauses), part: part(from: start)))
  }

  private mutating func negation() throws(Failure) -> Content {
    let start = token
    if skip("!") || skipWord("NOT") {
      try descend(1)
      let content = try negation()
      let inner = try clause(content)
      ascend(1)
      return .clause(Clause(kind: .not(inner), part: part(from: start)))
    }
    if skipWord("TRUEPREDICATE") {
      return .clause(Clause(kind: .constant(true), part: start.part))
    }
    if skipWord("FALSEPREDICATE") {
      return .clause(Clause(kind: .constant(false), part: start.part))
    }
    guard token.isSymbol("(") else { return try comparison() }
    switch try group() {
    case .clause(let clause): return .clause(clause)
    case .expression(let expression):
      return try comparison(nil, try path(from: expression, at: start), from: start)
    }
  }

  /// Reads a predicate or an operand in parentheses.
  private mutating func group() throws(Failure) -> Content {
    let start = advance()
    try descend(1)
    let inner = try disjunction()
    ascend(1)
    guard token.isSymbol(")") else {
      if case .expression = inner { throw unexpected(.comparator) }
      throw unexpected(.groupEnd)
    }
    advance()
    switch inner {
    case .clause(let clause):
      return .clause(Clause(kind: clause.kind, part: part(from: start)))
    case .expression(let expression):
      return .expression(Expression(kind: expression.kind, part: part(from: start)))
    }
  }

  private mutating func comparison() throws(Failure) -> Content {
    let start = token
    let quantifier = PredicateQuantifier.allCases.first { token.isWord($0.rawValue) }
    if quantifier != nil { advance() }
    let left = try operand(quantifier == nil ? .clause : .quantified)
    return try comparison(quantifier, left, from: start)
  }

  /// Reads the rest of a comparison, after the left operand.
  private mutating func comparison(
    _ quantifier: PredicateQuantifier?, _ left: Expression, from start: PredicateToken
  ) throws(Failure) -> Content {
    if let quantifier { try Language.check(quantifier, before: left) }
    guard let comparator = comparator(token) else {
      if quantifier == nil { return .expression(left) }
      throw unexpected(.comparator)
    }
    let place = advance().part
    let options = try Language.options(of: comparator, at: place, &self)
    let comparison = PredicateComparison(
      quantifier: quantifier, left: left, comparator: comparator, options: options,
      right: try operand(.value))
    let prepared = try Language.comparison(comparison, at: place)
    return .clause(Clause(kind: .comparison(prepared), part: part(from: start)))
  }

  /// Reads `[c]`, `[d]` or `[cd]`, ignoring case; returns no options if there is no bracket.
  ///
  /// - Throws: The language's error if the bracket contains other letters or is not closed.
  package mutating func options() throws(Failure) -> TextOptions {
    guard skip("[") else { return [] }
    guard case .word(let letters) = token.kind, let options = TextOptions(letters: letters) else {
      throw unexpected(.optionLetters)
    }
    advance()
    try expect("]", .optionsEnd)
    return options
  }

  /// Returns the operator of a token; nil if the token is not an operator of the language.
  private func comparator(_ token: PredicateToken) -> PredicateOperator? {
    PredicateOperator.named(token).flatMap { dialect.operators.contains($0) ? $0 : nil }
  }
}

// MARK: - Operands

extension PredicateParser {
  /// Reads an operand and the keys after it.
  ///
  /// - Parameter place: The expected syntax to report if there is no operand.
  private mutating func operand(_ place: PredicateExpectation) throws(Failure) -> Expression {
    let start = token
    try descend(operandLevels)
    let root = try root(place)
    ascend(operandLevels)
    return try path(from: root, at: start)
  }

  private var operandLevels: Int { dialect.has(.levelsOfOperands) ? 1 : 0 }

  private mutating func path(
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

  /// Reads a subquery after its keyword.
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
  /// The value of a literal; nil if the token is neither a string nor a number.
  fileprivate var literal: PredicateValue? {
    switch kind {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .word, .variable, .function, .operation, .symbol, .end: nil
    }
  }
}
