/// Another account to act for.
public struct SwitchIdentity: Sendable, Hashable {
  /// A UPN or an object id; nil unsets the identity, `""` is the unknown account.
  public var account: String?
  public var level: IdentityLevel
  /// Further accounts that the window shows data of at the same time.
  public var others: [String]

  public init(
    account: String?, level: IdentityLevel = .mainWindow, others: [String] = []
  ) {
    self.account = account
    self.level = level
    self.others = others
  }
}

/// Where an identity is set (seed 001, "Identity overview").
public enum IdentityLevel: Sendable, Hashable {
  /// All that no window or thread says otherwise of.
  case process
  /// What one window shows; `""` is the main one.
  case window(String)

  public static let mainWindow = IdentityLevel.window("")
}

/// The identity that a guest acts for from now on, at one level.
public struct IdentityChange: Sendable, Hashable {
  /// nil: unset; `""`: the unknown account.
  public var account: String?
  /// Whether a policy applies to it.
  public var isManaged: Bool
  public var level: IdentityLevel

  public init(account: String?, isManaged: Bool, level: IdentityLevel = .mainWindow) {
    self.account = account
    self.isManaged = isManaged
    self.level = level
  }
}
