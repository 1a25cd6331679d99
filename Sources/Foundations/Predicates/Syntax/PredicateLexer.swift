/// Splits a predicate into words, values and signs with their positions.
package struct PredicateLexer<Language: PredicateLanguage> {
  /// The language's failure.
  package typealias Failure = Language.Failure

  let dialect = Language.dialect
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

  /// All tokens, the last of which is the end.
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

  /// The next character; nil at the end. In a dialect of scalars each scalar is a character of its own.
  package var character: Character? { character(at: index) }

  /// The character after the next one; nil at the end.
  var characterAfterNext: Character? {
    index < source.endIndex ? character(at: next(after: index)) : nil
  }

  private func character(at index: String.Index) -> Character? {
    guard index < source.endIndex else { return nil }
    return countsScalars ? Character(source.unicodeScalars[index]) : source[index]
  }

  private func next(after index: String.Index) -> String.Index {
    countsScalars ? source.unicodeScalars.index(after: index) : source.index(after: index)
  }

  /// Steps over the next character.
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

  /// Steps over white space.
  package mutating func skipSpace() {
    while let character, character.isWhitespace { step() }
  }

  /// The place of the next character.
  package var here: SourcePart {
    SourcePart(range: index..<index, line: line, column: column, offset: offset)
  }

  /// Steps over characters as long as `isPart` holds, and returns them.
  package mutating func take(while isPart: (Character) -> Bool) -> String {
    let start = index
    while let character, isPart(character) { step() }
    return String(source[start..<index])
  }

  /// Takes letters, digits and `_`; empty where none is next.
  package mutating func name() -> String { take(while: \.isPartOfName) }

  func failure(_ kind: PredicateFault.Kind, at part: SourcePart) -> Failure {
    Language.failure(PredicateFault(kind: kind, part: part))
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

  /// The longest symbol that is next; nil where none is.
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
  /// Whether the character is an ASCII letter or `_`.
  var isLetterOfName: Bool { isASCII && isLetter || self == "_" }

  /// Whether the character is an ASCII digit.
  var isDigit: Bool { isASCII && isNumber }

  /// Whether the character is an ASCII letter, digit or `_`.
  package var isPartOfName: Bool { isLetterOfName || isDigit }
}
