internal import Model

/// A text, split at the passages between double braces.
struct TokenText {
  enum Piece: Equatable {
    case literal(String)
    case token(ConfigurationToken, spelling: String)
    /// A passage that is no token, with its braces.
    case unknown(String)
  }

  private(set) var pieces: [Piece] = []

  init(_ text: String) {
    var rest = Substring(text)
    while let open = rest.firstRange(of: "{{") {
      let inside = rest[open.upperBound...]
      guard let close = inside.firstRange(of: "}}") else { break }
      // `{{{mail}}` opens with its last two braces.
      var start = close.lowerBound
      while !rest[..<start].hasSuffix("{{") { start = rest.index(before: start) }
      let name = rest[start..<close.lowerBound]
      let opening = rest.index(start, offsetBy: -2)
      if opening > rest.startIndex { pieces.append(.literal(String(rest[..<opening]))) }
      let spelling = String(rest[opening..<close.upperBound])
      pieces.append(
        ConfigurationToken(name: name).map { .token($0, spelling: spelling) }
          ?? .unknown(spelling))
      rest = rest[close.upperBound...]
    }
    if !rest.isEmpty { pieces.append(.literal(String(rest))) }
  }

  /// The tokens in all texts of the value, in the order of ``ConfigurationToken``'s cases.
  static func tokens(in value: ConfigurationValue) -> [ConfigurationToken] {
    var found: Set<ConfigurationToken> = []
    visit(value) { if case .token(let token, _) = $0 { found.insert(token) } }
    return ConfigurationToken.allCases.filter(found.contains)
  }

  /// The passages between double braces that are no tokens.
  static func unknown(in value: ConfigurationValue) -> [String] {
    var found: [String] = []
    visit(value) { if case .unknown(let spelling) = $0 { found.append(spelling) } }
    return found
  }

  private static func visit(_ value: ConfigurationValue, _ body: (Piece) -> Void) {
    switch value {
    case .text(let text): for piece in TokenText(text).pieces { body(piece) }
    case .list(let values): for value in values { visit(value, body) }
    case .dictionary(let values):
      for (_, value) in values.sorted(by: { $0.key < $1.key }) { visit(value, body) }
    case .integer, .real, .boolean: break
    }
  }
}
