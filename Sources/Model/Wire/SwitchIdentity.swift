/// A switch of the account that the guest acts for.
public struct SwitchIdentity: Sendable, Hashable {
  /// A UPN or an object id; nil unsets the identity, `""` is the unknown account.
  public var account: String?
  public var level: IdentityLevel
  /// Further accounts whose data the window shows at the same time.
  public var others: [String]

  /// A switch to `account` at `level`.
  public init(
    account: String?, level: IdentityLevel = .mainWindow, others: [String] = []
  ) {
    self.account = account
    self.level = level
    self.others = others
  }
}

/// The level at which an identity is set (seed 001, "Identity overview").
public enum IdentityLevel: Sendable, Hashable {
  /// The process: everything for which no window or thread states another identity.
  case process
  /// The content of one window; `""` is the main one.
  case window(String)

  public static let mainWindow = IdentityLevel.window("")
}

/// The identity that a guest acts for from now on, at one level.
public struct IdentityChange: Sendable, Hashable {
  /// The account; nil where unset, `""` for the unknown account.
  public var account: String?
  /// Whether a policy applies to the account.
  public var isManaged: Bool
  public var level: IdentityLevel

  /// A change to `account` at `level`.
  public init(account: String?, isManaged: Bool, level: IdentityLevel = .mainWindow) {
    self.account = account
    self.isManaged = isManaged
    self.level = level
  }
}
