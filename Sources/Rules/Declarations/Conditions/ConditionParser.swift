/// Reads the predicates that activations have, by recursive descent.
///
///     predicate  = and { ("OR" | "||") and }
///     and        = not { ("AND" | "&&") not }
///     not        = ("NOT" | "!") not | "TRUEPREDICATE" | "FALSEPREDICATE"
///                | "(" predicate ")" | comparison
///     comparison = [ "ANY" | "SOME" | "ALL" | "NONE" ] operand operator [ "[" options "]" ] operand
///     operand    = root { "." "@key(" name ")" | "." "@count" }
///     root       = "@status(" name ")" | "@property(" name ")" | variable | literal
///                | "{" operand { "," operand } "}" | "(" operand ")"
///                | "SUBQUERY" "(" operand "," variable "," predicate ")"
struct ConditionParser {
  let tokens: [ConditionToken]
  var index = 0
  private var depth = 0
  /// Those that can be named here, the innermost last.
  var variables: [String] = []
  /// The status items that are asked for, with their places.
  var statusItems: [ActivationCondition.Reference] = []

  init(_ source: String) throws(ConditionError) {
    guard source.utf8.count <= ActivationCondition.maximumLength else {
      throw ConditionError(
        "a predicate of \(source.utf8.count) bytes; at most \(ActivationCondition.maximumLength) "
          + "are read", at: 0)
    }
    var lexer = ConditionLexer(source)
    tokens = try lexer.tokens()
  }

  var token: ConditionToken { tokens[index] }

  mutating func advance() { index = min(index + 1, tokens.count - 1) }

  /// Steps over `symbol` where it is next.
  mutating func skip(_ symbol: String) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func skipWord(_ keyword: String) -> Bool {
    guard token.isWord(keyword) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String, _ reason: String) throws(ConditionError) {
    guard skip(symbol) else { throw unexpected("`\(symbol)` \(reason)") }
  }

  func unexpected(_ expected: String) -> ConditionError {
    ConditionError("expected \(expected), found \(token.words)", at: token.offset)
  }

  /// Whatever `body` reads is one level deeper.
  mutating func nested<Value>(
    _ body: (inout ConditionParser) throws(ConditionError) -> Value
  ) throws(ConditionError) -> Value {
    depth += 1
    guard depth <= ActivationCondition.maximumDepth else {
      throw ConditionError(
        "nested deeper than \(ActivationCondition.maximumDepth) levels", at: token.offset)
    }
    defer { depth -= 1 }
    return try body(&self)
  }

  /// The whole text.
  mutating func whole() throws(ConditionError) -> ConditionNode {
    guard token.kind != .end else { throw ConditionError("the predicate is empty", at: 0) }
    let node = try disjunction()
    guard token.kind == .end else { throw unexpected("`AND`, `OR` or the end of the predicate") }
    return node
  }

  mutating func disjunction() throws(ConditionError) -> ConditionNode {
    var nodes = [try conjunction()]
    while skipWord("OR") || skip("||") { nodes.append(try conjunction()) }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private mutating func conjunction() throws(ConditionError) -> ConditionNode {
    var nodes = [try negation()]
    while skipWord("AND") || skip("&&") { nodes.append(try negation()) }
    return nodes.count == 1 ? nodes[0] : .all(nodes)
  }

  private mutating func negation() throws(ConditionError) -> ConditionNode {
    if skipWord("NOT") || skip("!") {
      return .none(
        try nested { parser throws(ConditionError) in try parser.negation() })
    }
    if skipWord("TRUEPREDICATE") { return .constant(true) }
    if skipWord("FALSEPREDICATE") { return .constant(false) }
    if token.kind == .symbol("("), bracketHoldsPredicate {
      advance()
      let node = try nested { parser throws(ConditionError) in try parser.disjunction() }
      try expect(")", "after the predicate in brackets")
      return node
    }
    return try comparison()
  }

  /// Whether the bracket that is next has a predicate in it; else it has an operand.
  private var bracketHoldsPredicate: Bool {
    var depth = 0
    for (position, token) in tokens[index...].enumerated() {
      switch token.kind {
      case .symbol("("): depth += 1
      case .symbol(")"):
        depth -= 1
        guard depth == 0 else { continue }
        let behind = tokens[min(index + position + 1, tokens.count - 1)]
        return !isOperator(behind) && behind.kind != .symbol(".")
      case .end: return true
      default: break
      }
    }
    return true
  }

  private func isOperator(_ token: ConditionToken) -> Bool { relation(of: token) != nil }
}
