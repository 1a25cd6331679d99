extension Parser {
  /// What parentheses may hold.
  enum Operand {
    case clause(Clause)
    /// An operator must follow, or a closing parenthesis.
    case expression(Expression)
  }

  /// - Returns: `operand` where it holds or fails.
  func clause(_ operand: Operand) throws(PredicateError) -> Clause {
    switch operand {
    case .clause(let clause): return clause
    case .expression: throw missingOperator()
    }
  }

  mutating func disjunction() throws(PredicateError) -> Operand {
    try chain(of: { parser throws(PredicateError) in try parser.conjunction() }) { parser in
      parser.skip("||") || parser.skipWord("OR")
    } make: {
      .any($0)
    }
  }

  private mutating func conjunction() throws(PredicateError) -> Operand {
    try chain(of: { parser throws(PredicateError) in try parser.negation() }) { parser in
      parser.skip("&&") || parser.skipWord("AND")
    } make: {
      .all($0)
    }
  }

  private mutating func chain(
    of element: (inout Parser) throws(PredicateError) -> Operand,
    separator: (inout Parser) -> Bool, make: ([Clause]) -> Clause.Kind
  ) throws(PredicateError) -> Operand {
    let first = try element(&self)
    guard case .clause(let clause) = first, separator(&self) else { return first }
    var clauses = [clause]
    repeat {
      let operand = try element(&self)
      clauses.append(try self.clause(operand))
    } while separator(&self)
    let part = clause.part.through(clauses[clauses.count - 1].part)
    return .clause(Clause(kind: make(clauses), part: part))
  }

  private mutating func negation() throws(PredicateError) -> Operand {
    let start = token
    if skip("!") || skipWord("NOT") {
      let inner = try nested { parser throws(PredicateError) in
        let operand = try parser.negation()
        return try parser.clause(operand)
      }
      return .clause(Clause(kind: .not(inner), part: start.part.through(inner.part)))
    }
    for (keyword, holds) in [("TRUEPREDICATE", true), ("FALSEPREDICATE", false)]
    where skipWord(keyword) {
      return .clause(Clause(kind: .constant(holds), part: start.part))
    }
    guard token.isSymbol("(") else { return try comparison() }
    switch try group() {
    case .clause(let clause): return .clause(clause)
    case .expression(let expression):
      return try comparison(quantifier: nil, left: try path(from: expression), at: start)
    }
  }

  /// What stands in parentheses: a predicate or an operand.
  mutating func group() throws(PredicateError) -> Operand {
    let open = advance()
    let inner = try nested { parser throws(PredicateError) in try parser.disjunction() }
    guard token.isSymbol(")") else {
      if case .expression = inner { throw missingOperator() }
      throw unexpected("`AND`, `OR` or `)`", among: ["AND", "OR"])
    }
    let part = open.part.through(advance().part)
    switch inner {
    case .clause(let clause): return .clause(Clause(kind: clause.kind, part: part))
    case .expression(let expression):
      return .expression(Expression(kind: expression.kind, part: part))
    }
  }

  private mutating func comparison() throws(PredicateError) -> Operand {
    let start = token
    var quantifier: Comparison.Quantifier?
    for candidate in Comparison.Quantifier.allCases where skipWord(candidate.rawValue) {
      quantifier = candidate
      break
    }
    let left = try operand(quantifier == nil ? .clause : .quantified)
    return try comparison(quantifier: quantifier, left: left, at: start)
  }

  /// Goes on behind the left operand.
  private mutating func comparison(
    quantifier: Comparison.Quantifier?, left: Expression, at start: Token
  ) throws(PredicateError) -> Operand {
    if quantifier != nil, left.valueKind != .texts {
      throw error(
        at: left.part, expected: "a list of strings after `\(start.upperCased)`",
        found: left.valueKind.noun)
    }
    let operatorToken = token
    guard let comparator = comparator() else {
      if quantifier == nil { return .expression(left) }
      throw missingOperator()
    }
    let options = try options(of: comparator)
    let right = try operand(.value)
    let compared = quantifier == nil ? left.valueKind : .text
    var comparison = Comparison(
      quantifier: quantifier, left: left, comparator: comparator, options: options, right: right,
      shape: Comparison.Shape(comparator, left: compared, right: right.valueKind))
    try check(comparison, at: operatorToken)
    try prepare(&comparison)
    return .clause(Clause(kind: .comparison(comparison), part: start.part.through(right.part)))
  }

  func missingOperator() -> PredicateError {
    let words = Comparison.Comparator.allCases.map(\.rawValue)
    return unexpected("a comparison operator", among: words.filter { $0.count > 1 })
  }
}
