extension PredicateParser {
  /// The content of brackets.
  enum Content {
    case clause(Clause)
    /// An operand, which an operator or a closing bracket must follow.
    case expression(Expression)
  }

  /// The clause in `content`.
  ///
  /// - Throws: the language's failure where `content` is an operand.
  func clause(_ content: Content) throws(Failure) -> Clause {
    switch content {
    case .clause(let clause): return clause
    case .expression: throw unexpected(.comparator)
    }
  }

  mutating func disjunction() throws(Failure) -> Content {
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

  /// Reads brackets with a predicate or an operand in them.
  mutating func group() throws(Failure) -> Content {
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

  /// Reads `[c]`, `[d]` or `[cd]`; returns no options where no bracket is next.
  ///
  /// - Throws: the language's failure where the bracket has other letters, or does not end.
  package mutating func options() throws(Failure) -> TextOptions {
    guard skip("[") else { return [] }
    guard case .word(let letters) = token.kind, let options = TextOptions(letters: letters) else {
      throw unexpected(.optionLetters)
    }
    advance()
    try expect("]", .optionsEnd)
    return options
  }

  /// The operator of a token; nil where the token is no operator of the language.
  private func comparator(_ token: PredicateToken) -> PredicateOperator? {
    PredicateOperator.named(token).flatMap { dialect.operators.contains($0) ? $0 : nil }
  }
}
