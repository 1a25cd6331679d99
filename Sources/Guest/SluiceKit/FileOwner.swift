internal import Wire

/// The owner of a file or a piece of data (`IntuneMAMFileProtectionInfo`, `IntuneMAMDataProtectionInfo`).
public struct FileOwner: Sendable, Hashable {
  /// The owner's UPN.
  public let accountId: String
  /// Whether a policy applies to the owner in this app.
  public let isManaged: Bool

  /// The owner in a grant; nil where there is none.
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
