internal import Predicates

/// Takes a predicate apart into words, strings, numbers and symbols with their positions.
struct Lexer {
  private let source: String
  private var index: String.Index
  private var line = 1
  private var column = 1

  /// Longer ones first.
  private static let symbols = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "(", ")", "{", "}", "[", "]", ",", ".",
    "@", "=", "<", ">", "!", "-",
  ]

  init(_ source: String) {
    self.source = source
    index = source.startIndex
  }

  /// All tokens, the last of which is the end.
  mutating func tokens() throws(PredicateError) -> [Token] {
    var tokens: [Token] = []
    while true {
      let token = try next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private var character: Character? { index < source.endIndex ? source[index] : nil }

  private mutating func step() {
    if source[index].isNewline {
      line += 1
      column = 1
    } else {
      column += 1
    }
    index = source.index(after: index)
  }

  private var here: SourcePart {
    SourcePart(range: index..<index, line: line, column: column)
  }

  private mutating func next() throws(PredicateError) -> Token {
    while let character, character.isWhitespace { step() }
    let start = here
    guard let character else { return Token(kind: .end, part: start) }
    let kind: Token.Kind
    if Self.isLetter(character) {
      kind = .word(try word())
    } else if character.isASCII, character.isNumber {
      kind = .integer(try integer(from: start))
    } else if character == "$" {
      kind = .variable(try variable())
    } else if character == "\"" || character == "'" {
      kind = .string(try string(from: start, quote: character))
    } else if let symbol = Self.symbols.first(where: source[index...].hasPrefix) {
      for _ in symbol { step() }
      kind = .symbol(symbol)
    } else {
      throw unexpected(character)
    }
    return Token(kind: kind, part: start.through(here))
  }

  private static func isLetter(_ character: Character) -> Bool {
    character.isASCII && character.isLetter || character == "_"
  }

  private mutating func word() throws(PredicateError) -> String {
    let start = index
    while let character {
      if Self.isLetter(character) || character.isASCII && character.isNumber {
        step()
      } else if character == "-", let next = characterBehind, Self.isLetter(next) {
        step()
      } else if Quotation.isHyphen(character) {
        throw unexpected(character)
      } else {
        break
      }
    }
    return String(source[start..<index])
  }

  private var characterBehind: Character? {
    let next = source.index(after: index)
    return next < source.endIndex ? source[next] : nil
  }

  private mutating func integer(from start: SourcePart) throws(PredicateError) -> Int {
    let first = index
    while let character, character.isASCII, character.isNumber { step() }
    let digits = source[first..<index]
    guard let number = Int(digits) else {
      throw PredicateError(
        line: start.line, column: start.column, found: "`\(digits.prefix(24))`",
        expected: "a number of at most \(Int.max)")
    }
    return number
  }

  private mutating func variable() throws(PredicateError) -> String {
    step()
    guard let character, Self.isLetter(character) else {
      throw PredicateError(
        line: line, column: column, found: found, expected: "the name of a variable after `$`")
    }
    let start = index
    while let character = self.character,
      Self.isLetter(character) || character.isASCII && character.isNumber
    {
      step()
    }
    return String(source[start..<index])
  }

  private mutating func string(
    from start: SourcePart, quote: Character
  ) throws(PredicateError) -> String {
    var text = ""
    var typographic: PredicateError?
    step()
    while let character {
      if Quotation.isQuotationMark(character) { typographic = typographic ?? unexpected(character) }
      if character == quote {
        step()
        return text
      }
      if character == "\\" {
        text.append(try escape())
      } else {
        text.append(character)
        step()
      }
    }
    // One that ends as a word processor would have it.
    throw typographic
      ?? PredicateError(
        line: start.line, column: start.column, found: "a string that does not end",
        expected: "`\(quote)` at the end of the string")
  }

  private mutating func escape() throws(PredicateError) -> Character {
    let escaped: Character? =
      switch characterBehind {
      case "\\": "\\"
      case "\"": "\""
      case "'": "'"
      case "n": "\n"
      case "r": "\r"
      case "t": "\t"
      default: nil
      }
    guard let escaped else {
      let found = characterBehind.map { "`\\\($0)`" } ?? "the end of the rule"
      throw PredicateError(
        line: line, column: column, found: found,
        expected: #"an escape: `\\`, `\"`, `\'`, `\n`, `\r` or `\t`"#)
    }
    step()
    step()
    return escaped
  }

  private var found: String {
    character.map { Quotation.words(for: $0) } ?? "the end of the rule"
  }

  private func unexpected(_ character: Character) -> PredicateError {
    let (expected, suggestion): (String, String?) =
      if Quotation.isQuotationMark(character) {
        ("a straight quotation mark", Quotation.straight(character))
      } else if Quotation.isHyphen(character) {
        ("a plain hyphen", "-")
      } else {
        ("a key path, a variable, a string, a number or an operator", nil)
      }
    return PredicateError(
      line: line, column: column, found: found, expected: expected, suggestion: suggestion)
  }
}
