internal import Diagnostics
internal import Predicates

extension RuleLanguage {
  static func failure(_ fault: PredicateFault) -> PredicateError {
    // What was found, what was expected, and what was probably meant.
    let phrases: (String, String, String?)
    switch fault.kind {
    case .tooLong(let bytes):
      phrases = ("\(bytes) bytes", "a rule of at most \(dialect.maximumLength) bytes", nil)
    case .tooDeep:
      phrases = ("a deeper one", "at most \(dialect.maximumDepth) levels of nesting", nil)
    case .empty: phrases = (words(for: nil), words(for: .clause), nil)
    case .character(let character): phrases = unexpected(character)
    case .numberTooLarge(let digits):
      phrases = ("`\(digits.prefix(24))`", "a number of at most \(Int.max)", nil)
    case .noVariableName(let character):
      phrases = (words(for: character), "the name of a variable after `$`", nil)
    // One that ends as a word processor would have it.
    case .unterminatedString(_, let suspect?): return failure(suspect)
    case .unterminatedString(let quote, nil):
      phrases = ("a string that does not end", "`\(quote)` at the end of the string", nil)
    case .escape(let character):
      phrases = (
        character.map { "`\\\($0)`" } ?? words(for: nil),
        #"an escape: `\\`, `\"`, `\'`, `\n`, `\r` or `\t`"#, nil
      )
    case .token(let token, let expectation):
      return unexpected(token, expected: words(for: expectation), among: known(expectation))
    case .predicateInBrackets(let expectation):
      phrases = ("a predicate in parentheses", words(for: expectation), nil)
    case .unknownVariable(let name, let known): phrases = unknownVariable(name, known)
    }
    let (found, expected, suggestion) = phrases
    return PredicateError(
      at: fault.part, found: found, expected: expected, suggestion: suggestion)
  }

  /// - Parameter known: The words that may stand there.
  static func unexpected(
    _ token: PredicateToken, expected: String, among known: [String] = []
  ) -> PredicateError {
    var suggestion: String?
    if case .word(let word) = token.kind {
      suggestion = NearestWord.to(word, among: known, within: 3)
    }
    return PredicateError(
      at: token.part, found: words(for: token), expected: expected, suggestion: suggestion)
  }

  private static func unexpected(_ character: Character) -> (String, String, String?) {
    let found = words(for: character)
    if Quotation.isQuotationMark(character) {
      return (found, "a straight quotation mark", Quotation.straight(character))
    }
    if Quotation.isHyphen(character) { return (found, "a plain hyphen", "-") }
    return (found, "a key path, a variable, a string, a number or an operator", nil)
  }

  private static func unknownVariable(
    _ name: String, _ known: [String]
  ) -> (String, String, String?) {
    let names = known.map { "`$\($0)`" }.joined(separator: ", ")
    return (
      "`$\(name)`", known.isEmpty ? "no variable outside of `SUBQUERY`" : "one of \(names)",
      NearestWord.to(name, among: known, within: 3).map { "$" + $0 }
    )
  }

  static func words(for expectation: PredicateExpectation) -> String {
    expectation.words(in: dialect.noun)
  }

  /// - Parameter character: The character; nil at the end of the text.
  private static func words(for character: Character?) -> String {
    character.map { Quotation.words(for: $0) } ?? "the end of the \(dialect.noun)"
  }

  private static func words(for token: PredicateToken) -> String {
    switch token.kind {
    case .string(let text): "the string `\(PredicatePrinter.quoted(shortened(text)))`"
    case .integer(let number): "the number `\(number)`"
    case .word, .variable, .real, .function, .operation, .symbol, .end:
      token.words(in: dialect.noun)
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(40) + "…" : text
  }

  /// The words that may stand there.
  private static func known(_ expectation: PredicateExpectation) -> [String] {
    switch expectation {
    case .clause:
      [
        "NOT", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "extensionItems", "ANY", "ALL",
        "NONE", "SOME",
      ]
    case .quantified, .value, .collection: ["SUBQUERY", "extensionItems"]
    case .end, .groupEnd: ["AND", "OR"]
    case .comparator: dialect.operators.map(\.rawValue).filter { $0.count > 1 }
    case .key, .optionLetters, .optionsEnd, .negated, .element, .listEnd, .subqueryStart,
      .collectionEnd, .variable, .variableEnd, .subqueryEnd:
      []
    }
  }
}
