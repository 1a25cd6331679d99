/// Splits a predicate into tokens with source positions.
package struct PredicateLexer<Language: PredicateLanguage> {
  package typealias Failure = Language.Failure

  private let dialect = Language.dialect
  private let countsScalars = Language.dialect.has(.scalars)
  private let source: String
  private var index: String.Index
  private var line = 1
  private var column = 1
  private var offset = 0

  init(_ source: String) {
    self.source = source
    index = source.startIndex
  }

  /// Returns all tokens. The last one is `.end`.
  mutating func tokens() throws(Failure) -> [PredicateToken] {
    var tokens: [PredicateToken] = []
    while true {
      skipSpace()
      let start = here
      let kind = try next(from: start, after: tokens.last)
      tokens.append(PredicateToken(kind: kind, part: start.through(here)))
      if kind == .end { return tokens }
    }
  }

  /// The next character; nil at the end. With the trait `scalars`, each scalar is a separate character.
  package var character: Character? { character(at: index) }

  private var characterAfterNext: Character? {
    index < source.endIndex ? character(at: next(after: index)) : nil
  }

  private func character(at index: String.Index) -> Character? {
    guard index < source.endIndex else { return nil }
    return countsScalars ? Character(source.unicodeScalars[index]) : source[index]
  }

  private func next(after index: String.Index) -> String.Index {
    countsScalars ? source.unicodeScalars.index(after: index) : source.index(after: index)
  }

  /// Consumes the next character.
  package mutating func step() {
    if character?.isNewline == true {
      line += 1
      column = 1
    } else {
      column += 1
    }
    offset += 1
    index = next(after: index)
  }

  package mutating func skipSpace() {
    while let character, character.isWhitespace { step() }
  }

  /// The position of the next character.
  package var here: SourcePart {
    SourcePart(range: index..<index, line: line, column: column, offset: offset)
  }

  package mutating func consume(while isPart: (Character) -> Bool) -> String {
    let start = index
    while let character, isPart(character) { step() }
    return String(source[start..<index])
  }

  /// Consumes and returns letters, digits and `_`; may be empty.
  package mutating func name() -> String { consume(while: \.isPartOfName) }

  func failure(_ kind: PredicateSyntaxError.Kind, at part: SourcePart) -> Failure {
    Language.failure(PredicateSyntaxError(kind: kind, part: part))
  }

  private mutating func next(
    from start: SourcePart, after last: PredicateToken?
  ) throws(Failure) -> PredicateToken.Kind {
    guard let character else { return .end }
    switch character {
    case "@": if let function = try Language.function(&self) { return function }
    case "$": return .variable(try variable())
    case "\"", "'": return .string(try string(from: start, quote: character))
    default:  // open: any other character
      break
    }
    if character.isLetterOfName { return .word(word()) }
    if character.isDigit { return try number(from: start, after: last) }
    guard let symbol = symbol(character) else {
      throw failure(.character(character), at: start)
    }
    for _ in symbol { step() }
    return .symbol(symbol)
  }

  /// Returns the longest symbol at the current position; nil if there is none.
  private func symbol(_ character: Character) -> String? {
    let one = String(character)
    if let characterAfterNext {
      let two = one + String(characterAfterNext)
      if PredicateToken.symbols.contains(two) { return two }
    }
    return PredicateToken.symbols.contains(one) ? one : nil
  }
}

extension Character {
  fileprivate var isLetterOfName: Bool { isASCII && isLetter || self == "_" }

  fileprivate var isDigit: Bool { isASCII && isNumber }

  package var isPartOfName: Bool { isLetterOfName || isDigit }
}

// MARK: - Values

extension PredicateLexer {
  private mutating func word() -> String {
    let hasHyphens = dialect.has(.hyphenatedWords)
    var word = name()
    while hasHyphens, character == "-", characterAfterNext?.isLetterOfName == true {
      step()
      word += "-" + name()
    }
    return word
  }

  /// Reads an unsigned number. The number 2^63 is allowed only after a minus sign. It does not fit into `Int`, so the
  /// result is `Int.min`, which negation leaves unchanged.
  private mutating func number(
    from start: SourcePart, after last: PredicateToken?
  ) throws(Failure) -> PredicateToken.Kind {
    var digits = consume(while: \.isDigit)
    if dialect.has(.realNumbers), character == ".", characterAfterNext?.isDigit == true {
      step()
      digits += "." + consume(while: \.isDigit)
      if let number = Double(digits), number.isFinite { return .real(number) }
    } else if let number = Int(digits) {
      return .integer(number)
    } else if last?.isSymbol("-") == true, Int("-" + digits) == Int.min {
      return .integer(.min)
    }
    throw failure(.numberTooLarge(digits: digits), at: start)
  }

  private mutating func variable() throws(Failure) -> String {
    step()
    let mayBeNumbered = dialect.has(.numberedVariables)
    guard let character, character.isLetterOfName || mayBeNumbered && character.isDigit else {
      throw failure(.noVariableName(character), at: here)
    }
    return name()
  }

  private mutating func string(from start: SourcePart, quote: Character) throws(Failure) -> String {
    var text = ""
    var suspect: PredicateSyntaxError?
    step()
    while let character {
      if suspect == nil, Quotation.isQuotationMark(character) {
        suspect = PredicateSyntaxError(kind: .character(character), part: here)
      }
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
    throw failure(.unterminatedString(quote: quote, suspect: suspect), at: start)
  }

  private mutating func escape() throws(Failure) -> Character {
    let escaped: Character? =
      switch characterAfterNext {
      case "\\": "\\"
      case "\"": "\""
      case "'": "'"
      case "n": "\n"
      case "r": "\r"
      case "t": "\t"
      default:  // open: any other character, or the end
        nil
      }
    guard let escaped else { throw failure(.escape(characterAfterNext), at: here) }
    step()
    step()
    return escaped
  }
}

// MARK: - Tokens

package struct PredicateToken: Sendable {
  package var kind: Kind
  package var part: SourcePart

  package enum Kind: Sendable, Equatable {
    /// Letters, digits, `_`, and in some dialects `-` between letters.
    case word(String)
    /// The name after `$`.
    case variable(String)
    /// The content between the quotes, with escapes resolved.
    case string(String)
    case integer(Int)
    case real(Double)
    /// A function such as `@status(device.model.family)`: its name and the argument in parentheses.
    case function(String, argument: String)
    /// An operation on a list, without an argument: `@count`. It occurs only in languages with functions.
    case operation(String)
    case symbol(String)
    case end
  }

  fileprivate static let symbols: Set<String> = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "(", ")", "{", "}", "[", "]", ",", ".",
    "@", "=", "<", ">", "!", "-",
  ]

  package func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }

  /// Returns whether the token is the keyword, ignoring case. `keyword` is in upper case.
  package func isWord(_ keyword: String) -> Bool {
    guard case .word(let word) = kind else { return false }
    return word.utf8.count == keyword.utf8.count && word.uppercased() == keyword
  }

  /// Returns the description of the token for messages.
  ///
  /// - Parameter noun: The noun for the parsed text, used in "the end of the …".
  package func words(in noun: String) -> String {
    switch kind {
    case .word(let word): "`\(word)`"
    case .variable(let name): "`$\(name)`"
    case .string: "a string"
    case .integer(let number): "the number \(number)"
    case .real(let number): "the number \(number)"
    case .function(let name, let argument): "`@\(name)(\(argument))`"
    case .operation(let name): "`@\(name)`"
    case .symbol(let symbol): "`\(symbol)`"
    case .end: "the end of the \(noun)"
    }
  }
}
