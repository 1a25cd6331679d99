internal import Diagnostics

/// Reads the predicates that activation rules have, by recursive descent.
///
///     predicate  = and { ("OR" | "||") and }
///     and        = not { ("AND" | "&&") not }
///     not        = ("NOT" | "!") not | "TRUEPREDICATE" | "FALSEPREDICATE"
///                | "(" predicate ")" | comparison
///     comparison = [ "ANY" | "SOME" | "ALL" | "NONE" ] operand operator [ "[" options "]" ] operand
///     operand    = root { "." key | ".@count" }
///     root       = "extensionItems" | variable | string | integer | "{" literals "}"
///                | "SUBQUERY" "(" operand "," variable "," predicate ")" | "(" operand ")"
struct Parser {
  private let tokens: [Token]
  private var index = 0
  private var depth = 0
  /// Those that can be named here, the innermost last.
  var variables: [Variable] = []
  /// How many could be at once.
  var mostVariables = 0

  init(_ source: String) throws(PredicateError) {
    guard source.utf8.count <= Predicate.maximumLength else {
      throw PredicateError(
        line: 1, column: 1, found: "\(source.utf8.count) bytes",
        expected: "a rule of at most \(Predicate.maximumLength) bytes")
    }
    var lexer = Lexer(source)
    tokens = try lexer.tokens()
  }

  var token: Token { tokens[index] }

  /// The next one but one; the end where there is none.
  var tokenBehind: Token { tokens[min(index + 1, tokens.count - 1)] }

  mutating func advance() -> Token {
    defer { index = min(index + 1, tokens.count - 1) }
    return tokens[index]
  }

  /// Steps over `symbol` where it is next.
  mutating func skip(_ symbol: String) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    _ = advance()
    return true
  }

  mutating func skipWord(_ keyword: String) -> Bool {
    guard token.isWord(keyword) else { return false }
    _ = advance()
    return true
  }

  mutating func expect(_ symbol: String, _ reason: String) throws(PredicateError) -> Token {
    guard token.isSymbol(symbol) else { throw unexpected("`\(symbol)` \(reason)") }
    return advance()
  }

  /// Whatever `body` reads is one level deeper.
  mutating func nested<Value>(
    _ body: (inout Parser) throws(PredicateError) -> Value
  ) throws(PredicateError) -> Value {
    depth += 1
    guard depth <= Predicate.maximumDepth else {
      throw error(
        at: token.part, expected: "at most \(Predicate.maximumDepth) levels of nesting",
        found: "a deeper one")
    }
    defer { depth -= 1 }
    return try body(&self)
  }

  /// The whole text.
  mutating func predicate() throws(PredicateError) -> Clause {
    let operand = try disjunction()
    let clause = try clause(operand)
    guard token.kind == .end else {
      throw unexpected(
        "`AND`, `OR` or the end of the rule", among: ["AND", "OR"])
    }
    return clause
  }

  func unexpected(_ expected: String, among known: [String] = []) -> PredicateError {
    unexpected(expected, at: token, among: known)
  }

  /// - Parameter known: words that may stand there.
  func unexpected(
    _ expected: String, at token: Token, among known: [String] = []
  ) -> PredicateError {
    var suggestion: String?
    if case .word(let word) = token.kind {
      suggestion = NearestWord.to(word, among: known, within: 3)
    }
    return error(
      at: token.part, expected: expected, found: Self.words(for: token), suggestion: suggestion)
  }

  func error(
    at part: SourcePart, expected: String, found: String, suggestion: String? = nil
  ) -> PredicateError {
    PredicateError(
      line: part.line, column: part.column, found: found, expected: expected,
      suggestion: suggestion)
  }

  private static func words(for token: Token) -> String {
    switch token.kind {
    case .word(let word): "`\(word)`"
    case .variable(let name): "`$\(name)`"
    case .string(let text): "the string `\(PredicatePrinter.quoted(shortened(text)))`"
    case .integer(let number): "the number `\(number)`"
    case .symbol(let symbol): "`\(symbol)`"
    case .end: "the end of the rule"
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(40) + "…" : text
  }
}
