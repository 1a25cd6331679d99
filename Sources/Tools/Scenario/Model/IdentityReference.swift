/// Whom a scenario means: one of its accounts, or one of the two special identities.
public enum IdentityReference: Sendable, Hashable {
  /// The account of that name.
  case account(String)
  /// A personal account that nobody manages: the SDK's `""`.
  case unknown
  /// No identity set: the SDK's `nil`.
  case unset

  /// The word as the scenario writes it.
  public var text: String {
    switch self {
    case .account(let name): name
    case .unknown: "unknown"
    case .unset: "unset"
    }
  }
}
