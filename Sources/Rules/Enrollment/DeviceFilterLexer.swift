/// A token of a filter's rule.
struct DeviceFilterToken: Equatable {
  enum Kind: Equatable {
    /// A property, an operator with its hyphen, or a value without quotation marks.
    case word(String)
    case string(String)
    case symbol(Unicode.Scalar)
    case end
  }

  var kind: Kind
  /// The offset in the rule, in Unicode scalars.
  var offset: Int

  /// The token in the words of a message.
  var found: String {
    switch kind {
    case .word(let word): "`\(word)`"
    case .string(let text): "the string `\(text)`"
    case .symbol(let symbol): "`\(symbol)`"
    case .end: "the end of the rule"
    }
  }
}

/// Splits a filter's rule into tokens.
struct DeviceFilterLexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  private static let symbols: Set<Unicode.Scalar> = ["(", ")", "[", "]", ","]
  private static let quotes: Set<Unicode.Scalar> = ["\"", "'"]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// All tokens, the last of which is the end.
  mutating func tokens() throws(DeviceFilterError) -> [DeviceFilterToken] {
    var tokens: [DeviceFilterToken] = []
    while true {
      while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
      let offset = index
      let kind = try kind()
      tokens.append(DeviceFilterToken(kind: kind, offset: offset))
      if kind == .end { return tokens }
    }
  }

  private mutating func kind() throws(DeviceFilterError) -> DeviceFilterToken.Kind {
    guard index < scalars.count else { return .end }
    let next = scalars[index]
    if Self.symbols.contains(next) {
      index += 1
      return .symbol(next)
    }
    return Self.quotes.contains(next) ? .string(try string(quote: next)) : .word(word())
  }

  private mutating func word() -> String {
    var word = String.UnicodeScalarView()
    while index < scalars.count, isInWord(scalars[index]) {
      // Learn's own examples have en dashes before operators.
      word.append(scalars[index] == "\u{2013}" ? "-" : scalars[index])
      index += 1
    }
    return String(word)
  }

  private func isInWord(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !Self.symbols.contains(scalar)
      && !Self.quotes.contains(scalar)
  }

  /// The content of a string. A quotation mark inside of it stands after a grave accent.
  private mutating func string(
    quote: Unicode.Scalar
  ) throws(DeviceFilterError) -> String {
    let start = index
    var text = String.UnicodeScalarView()
    index += 1
    while index < scalars.count {
      var scalar = scalars[index]
      if scalar == quote {
        index += 1
        return String(text)
      }
      if scalar == "`", index + 1 < scalars.count, Self.quotes.contains(scalars[index + 1]) {
        index += 1
        scalar = scalars[index]
      }
      text.append(scalar)
      index += 1
    }
    throw DeviceFilterError(start, "the string that begins here has no end")
  }
}
