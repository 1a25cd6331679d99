internal import Predicates

extension ConditionLanguage {
  static func failure(_ fault: PredicateFault) -> ConditionError {
    var error = ConditionError(message(fault.kind), at: fault.part)
    if case .empty = fault.kind { error.offset = 0 }
    return error
  }

  private static func message(_ fault: PredicateFault.Kind) -> String {
    switch fault {
    case .tooLong(let bytes):
      "a predicate of \(bytes) bytes; at most \(dialect.maximumLength) are read"
    case .tooDeep: "nested deeper than \(dialect.maximumDepth) levels"
    case .empty: "the predicate is empty"
    case .character(let character): unexpected(character)
    case .numberTooLarge: "the number is too large"
    case .noVariableName: "expected the name of a variable after `$`"
    case .unterminatedString, .escape(nil): "the string does not end"
    case .escape(let letter?): "unknown escape `\\\(letter)`"
    case .token(let token, .comparator) where token.isWord("MATCHES"):
      "`MATCHES` is not simulated; `LIKE` with `*` and `?` is"
    case .token(let token, let expectation):
      "expected \(words(for: expectation)), found \(token.words(in: dialect.noun))"
    case .predicateInBrackets(let expectation):
      "expected \(words(for: expectation)), found a predicate in brackets"
    case .unknownVariable(let name, _): "`$\(name)` is not the variable of a `SUBQUERY`"
    }
  }

  private static func unexpected(_ character: Character) -> String {
    let found = Quotation.words(for: character)
    if Quotation.isQuotationMark(character) {
      return "found \(found); write the straight one, `\(Quotation.straight(character))`"
    }
    if Quotation.isHyphen(character) { return "found \(found); write the plain one, `-`" }
    if character == "%" {
      return "found a format argument, which only programs have: write the value"
    }
    return "expected a value or an operator, found \(found)"
  }

  private static func words(for expectation: PredicateExpectation) -> String {
    switch expectation {
    case .clause, .quantified, .value, .collection: "a value"
    case .groupEnd: "`)` after the predicate in brackets"
    case .comparator: "an operator such as `==` or `IN`"
    case .key: "`@key(…)` or `@count` after `.`"
    case .listEnd: "`}` after the values"
    case .collectionEnd: "`,` after the collection"
    case .variable: "a variable such as `$item`"
    case .end, .optionLetters, .optionsEnd, .negated, .element, .subqueryStart, .variableEnd,
      .subqueryEnd:
      expectation.words(in: dialect.noun)
    }
  }
}
