/// The answer of a verdict, the most permissive last.
public enum Outcome: String, Sendable, CaseIterable, Comparable {
  /// Nothing moves.
  case blocked
  /// The transfer happens, but the receiver gets ciphertext that it cannot read.
  case encrypted
  /// The receiver gets the item.
  case allowed

  private var rank: Int {
    switch self {
    case .blocked: 0
    case .encrypted: 1
    case .allowed: 2
    }
  }

  public static func < (left: Outcome, right: Outcome) -> Bool { left.rank < right.rank }
}
