extension Rule {
  /// The effect of a rule on a request that it speaks about.
  public enum Consequence: Sendable, CaseIterable {
    case allows
    /// The rule lets an account open, and the user sees a notification.
    case warns
    /// The receiver gets ciphertext.
    case encrypts
    case blocks
    /// The rule blocks, and the account's data is removed from the app.
    case wipes
  }

  /// The effect of the rule on a request that it speaks about.
  public var consequence: Consequence { row.consequence }

  /// The most permissive outcome that the rule allows a request.
  public var effect: Outcome {
    switch consequence {
    case .allows, .warns: .allowed
    case .encrypts: .encrypted
    case .blocks, .wipes: .blocked
    }
  }

  /// The rule's statement when it speaks for `side`: one sentence, lower case, no full stop.
  public func text(for side: Side) -> String { Self.texts[side]?[self] ?? row.text }

  /// Made once: every verdict is explained.
  private static let texts: [Side: [Rule: String]] = Dictionary(
    uniqueKeysWithValues: Side.allCases.map { side in
      let texts = allCases.map { ($0, $0.row.text.replacing("{side}", with: side.rawValue)) }
      return (side, Dictionary(uniqueKeysWithValues: texts))
    })

  /// The origin of the rule: a public document and its section, or `assumed` where public documents end.
  public var source: String { row.source.description }

  /// Whether public facts leave the rule open, so that it takes the answer by which less data moves.
  public var isAssumed: Bool {
    if case .assumed = row.source { true } else { false }
  }
}
