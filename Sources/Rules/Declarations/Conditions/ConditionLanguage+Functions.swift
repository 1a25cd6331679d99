internal import Diagnostics
internal import Predicates

extension ConditionLanguage {
  private static let functions = ["status", "property", "key"]

  /// The token of `@status(name)`, `@property(name)`, `@key(name)` or `@count`.
  static func function(
    _ lexer: inout PredicateLexer<Self>
  ) throws(ConditionError) -> PredicateToken.Kind? {
    let start = lexer.here
    lexer.step()
    let name = lexer.name()
    guard lexer.character == "(" else {
      if name == "count" { return .operation(name) }
      throw bareFunction(name, from: start, to: lexer.here)
    }
    guard functions.contains(name) else {
      throw ConditionError(
        "expected `@status(…)`, `@property(…)` or `@key(…)`, found `@\(name)(`" + question(name),
        at: start)
    }
    lexer.step()
    return .function(name, argument: try argument(of: name, &lexer))
  }

  /// The argument in the function's brackets.
  private static func argument(
    of name: String, _ lexer: inout PredicateLexer<Self>
  ) throws(ConditionError) -> String {
    lexer.skipSpace()
    let place = lexer.here
    let argument = lexer.take { $0 != "(" && $0 != ")" && !$0.isWhitespace }
    lexer.skipSpace()
    guard lexer.character == ")" else {
      throw ConditionError("expected `)` after the name in `@\(name)(`", at: lexer.here)
    }
    lexer.step()
    guard isName(argument) else {
      throw ConditionError(
        "expected a name of letters, digits, `-`, `_` and `.` in `@\(name)(…)`", at: place)
    }
    return argument
  }

  private static func bareFunction(
    _ name: String, from start: SourcePart, to end: SourcePart
  ) -> ConditionError {
    if functions.contains(name) {
      return ConditionError("expected `(` and a name after `@\(name)`", at: end)
    }
    return ConditionError(
      "expected `@status(…)`, `@property(…)`, `@key(…)` or `@count`, found `@\(name)`"
        + question(name), at: start)
  }

  private static func question(_ name: String) -> String {
    let near = NearestWord.to(name, among: functions + ["count"])
    return Suggestion.text(near.map { "@\($0)" })
  }

  private static func isName(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.allSatisfy { $0.isPartOfName || $0 == "-" }
    }
  }
}
