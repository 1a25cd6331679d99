extension Rule {
  /// What a rule does to a request that it speaks about.
  public enum Consequence: Sendable, CaseIterable {
    case allows
    /// It lets an account open, and the user sees a notification.
    case warns
    /// The receiver gets ciphertext.
    case encrypts
    case blocks
    /// It blocks, and the account's data is removed from the app.
    case wipes
  }

  public var consequence: Consequence { row.consequence }

  /// What the rule lets a request come to.
  public var effect: Outcome {
    switch consequence {
    case .allows, .warns: .allowed
    case .encrypts: .encrypted
    case .blocks, .wipes: .blocked
    }
  }

  /// One sentence, lower case, no full stop: what the rule says when it speaks for `side`.
  public func text(for side: Side) -> String {
    row.text.replacing("{side}", with: side.rawValue)
  }

  /// Where the rule comes from: a public document and its section, or `assumed` where those end.
  public var source: String { row.source.description }

  /// Whether public facts leave the rule open, so that it takes the answer by which less data moves.
  public var isAssumed: Bool {
    if case .assumed = row.source { true } else { false }
  }
}
