struct Token: Sendable {
  var kind: Kind
  var part: SourcePart

  enum Kind: Sendable, Equatable {
    /// Letters, digits, `_`, and `-` between letters.
    case word(String)
    /// The name behind `$`.
    case variable(String)
    /// What stands between quotes, escapes resolved.
    case string(String)
    case integer(Int)
    case symbol(String)
    case end
  }

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }

  /// Keywords have any case.
  func isWord(_ keyword: String) -> Bool {
    guard case .word(let word) = kind else { return false }
    return word.utf8.count == keyword.utf8.count && word.uppercased() == keyword
  }
}
