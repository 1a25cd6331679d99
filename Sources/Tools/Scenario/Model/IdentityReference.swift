/// The identity that a scenario refers to: one of its accounts, or one of the two special identities.
public enum IdentityReference: Sendable, Hashable {
  /// The account of that name.
  case account(String)
  /// A personal account that no policy manages: the SDK's `""`.
  case unknown
  /// No identity set: the SDK's `nil`.
  case unset

  /// The word in the scenario.
  public var text: String {
    switch self {
    case .account(let name): name
    case .unknown: "unknown"
    case .unset: "unset"
    }
  }
}
