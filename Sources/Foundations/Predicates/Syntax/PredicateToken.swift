/// A word, value or sign of a predicate.
package struct PredicateToken: Sendable {
  package var kind: Kind
  package var part: SourcePart

  /// The kind and the content of a token.
  package enum Kind: Sendable, Equatable {
    /// Letters, digits, `_`, and in some dialects `-` between letters.
    case word(String)
    /// The name after `$`.
    case variable(String)
    /// The content between quotes, escapes resolved.
    case string(String)
    case integer(Int)
    case real(Double)
    /// A function such as `@status(device.model.family)`: its name and the content of the brackets.
    case function(String, argument: String)
    /// `@count`, where a language has functions.
    case operation(String)
    case symbol(String)
    case end
  }

  static let symbols: Set<String> = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "(", ")", "{", "}", "[", "]", ",", ".",
    "@", "=", "<", ">", "!", "-",
  ]

  /// Whether the token is that symbol.
  package func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }

  /// Whether the token is that keyword, in any case.
  package func isWord(_ keyword: String) -> Bool {
    guard case .word(let word) = kind else { return false }
    return word.utf8.count == keyword.utf8.count && word.uppercased() == keyword
  }

  /// The words by which messages call the token.
  ///
  /// - Parameter noun: the noun for the whole predicate.
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
