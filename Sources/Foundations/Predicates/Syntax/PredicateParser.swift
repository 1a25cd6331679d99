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
  /// The language's failure.
  package typealias Failure = Language.Failure
  /// A clause of the language.
  package typealias Clause = PredicateClause<Language>
  /// An operand of the language.
  package typealias Expression = PredicateExpression<Language>

  let dialect = Language.dialect
  /// All tokens of the text, the last of which is the end.
  package let tokens: [PredicateToken]
  private(set) var index = 0
  private var depth = 0
  /// The variables that can be named here, the innermost last.
  var variables: [PredicateVariable<Language>] = []
  /// The largest number of variables in scope at once.
  package internal(set) var mostVariables = 0

  /// Splits `source` into tokens.
  ///
  /// - Throws: the language's failure where the text is too long, or not made of tokens.
  package init(_ source: String) throws(Failure) {
    var lexer = PredicateLexer<Language>(source)
    let length = source.utf8.count
    guard length <= dialect.maximumLength else {
      throw lexer.failure(.tooLong(bytes: length), at: lexer.here)
    }
    tokens = try lexer.tokens()
  }

  /// Reads the whole text.
  ///
  /// - Throws: the language's failure where the text is no predicate.
  package mutating func predicate() throws(Failure) -> Clause {
    guard token.kind != .end else { throw failure(.empty, at: token.part) }
    let content = try disjunction()
    let clause = try clause(content)
    guard token.kind == .end else { throw unexpected(.end) }
    return clause
  }

  /// The next token.
  package var token: PredicateToken { tokens[index] }

  /// Steps over the next token, and returns it.
  @discardableResult
  package mutating func advance() -> PredicateToken {
    defer { index = min(index + 1, tokens.count - 1) }
    return tokens[index]
  }

  /// Steps over `symbol` where it is next; returns whether it was.
  package mutating func skip(_ symbol: String) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func skipWord(_ keyword: String) -> Bool {
    guard token.isWord(keyword) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String, _ expectation: PredicateExpectation) throws(Failure) {
    guard skip(symbol) else { throw unexpected(expectation) }
  }

  /// The part that was read since `start`.
  func part(from start: PredicateToken) -> SourcePart {
    start.part.through(tokens[index - 1].part)
  }

  /// Adds levels of nesting until ``ascend(_:)``.
  mutating func descend(_ levels: Int) throws(Failure) {
    depth += levels
    guard depth <= dialect.maximumDepth else { throw failure(.tooDeep, at: token.part) }
  }

  mutating func ascend(_ levels: Int) { depth -= levels }

  /// The failure that another part was expected than the next token.
  package func unexpected(_ expectation: PredicateExpectation) -> Failure {
    failure(.token(token, expected: expectation), at: token.part)
  }

  func failure(_ kind: PredicateFault.Kind, at part: SourcePart) -> Failure {
    Language.failure(PredicateFault(kind: kind, part: part))
  }
}
