/// How much of a world a search has gone through.
public struct LeakScope: Sendable {
  /// The number of apps and extensions.
  public var apps: Int
  public var signIns: SignIns
  /// The accounts, by UPN, that may sign in and be managed then, and whose data are not followed.
  public var unfollowed: [String] = []
  /// The number of devices: the world's, and those that differ from it.
  public var devices = 1

  public enum SignIns: Sendable, Equatable {
    /// Nobody signs in or out.
    case none
    /// Every set of accounts that differs from the stated one by one account, and no account or one.
    case single
    /// Those, and every set of two accounts.
    case pairs
    /// Nobody signs in or out: there are so many sets of accounts, more than are worth searching.
    case tooMany(Int)
  }

  /// The sign-ins in words; nil: none.
  var signInWords: String? {
    switch signIns {
    case .none, .tooMany: nil
    case .single: "sign-ins and sign-outs of one account, or to one or none"
    case .pairs: "sign-ins and sign-outs of one account, or to two accounts or fewer"
    }
  }

  /// The sign-ins that are left out, in words.
  var otherSignInWords: String {
    switch signIns {
    case .none: "sign-ins"
    case .tooMany(let sets): "sign-ins (\(sets) sets of accounts in all, more than are searched)"
    case .single, .pairs: "other sign-ins, also to apps without the SDK"
    }
  }
}
