internal import Wire

/// Whose a file or a piece of data is (`IntuneMAMFileProtectionInfo`, `IntuneMAMDataProtectionInfo`).
public struct FileOwner: Sendable, Hashable {
  /// The owner's UPN.
  public let accountId: String
  /// Whether a policy applies to the owner in this app.
  public let isManaged: Bool

  /// nil where it is nobody's.
  init?(_ grant: FileGrant?) {
    guard let grant, !grant.ownerUPN.isEmpty else { return nil }
    accountId = grant.ownerUPN
    isManaged = grant.isManaged
  }

  init(accountId: String, isManaged: Bool) {
    self.accountId = accountId
    self.isManaged = isManaged
  }
}
