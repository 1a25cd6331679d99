/// The identity that a task acts for.
///
/// The SDK's identities are strings; here the two special ones have names. `nil` is ``unset`` and falls
/// back to the next level; `""` is ``unknown``, a personal, unmanaged account (semantics: the
/// header of `IntuneMAMPolicyManager`).
public enum Identity: Sendable {
  case unset
  case unknown
  case account(Account)

  /// The account; nil where the identity is unset or unknown.
  public var account: Account? {
    if case .account(let account) = self { account } else { nil }
  }

  /// The string that the SDK's calls take: nil when unset, `""` when unknown, else the UPN.
  public var accountID: String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let account): account.upn
    }
  }

  /// Whether both name the same account, or neither names any.
  public func isSame(as other: Identity) -> Bool {
    switch (account, other.account) {
    case (let mine?, let theirs?): mine.isSame(as: theirs)
    case (nil, nil): true
    case (nil, _?), (_?, nil): false
    }
  }
}
