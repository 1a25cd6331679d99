public import Model

/// The accounts that an app's configuration lets sign in.
///
/// Source: Microsoft Learn, "App configuration policies for managed iOS/iPadOS devices", "Allow only
/// configured organization accounts"; Intune App SDK for iOS, stage 4, allowed accounts.
public struct AllowedAccounts: Sendable, Hashable {
  /// The account that the configuration names.
  private let user: EnrolledUser

  /// The accounts that an app configuration allows; nil: it restricts nobody.
  ///
  /// - Parameters:
  ///   - allowedAccountsOnly: The value of `IntuneMAMAllowedAccountsOnly`; only `Enabled`, in any casing,
  ///     restricts.
  ///   - upn: The value of `IntuneMAMUPN`.
  ///   - objectID: The value of `IntuneMAMOID`.
  public init?(allowedAccountsOnly: String?, upn: String?, objectID: String?) {
    guard allowedAccountsOnly?.lowercased() == "enabled",
      let user = EnrolledUser(upn: upn, objectID: objectID)
    else { return nil }
    self.user = user
  }

  /// The account's UPN as the configuration writes it; nil where only the object id is stated.
  public var upn: String? { user.upn }

  /// The account's Entra object id; nil where only the UPN is stated.
  public var objectID: String? { user.objectID }

  /// Whether `account` is the configured one: by object id where both state one, otherwise by UPN. Casing
  /// does not matter.
  public func allows(_ account: Account) -> Bool { user.isSame(as: account) }

  /// Whether `accountID`, a UPN or an object id in any casing, names the configured account.
  public func allows(accountID: String) -> Bool {
    let key = accountID.lowercased()
    return key == upn?.lowercased() || key == objectID?.lowercased()
  }

  /// The configured account, by UPN where there is one.
  public var name: String { upn ?? objectID ?? "" }

  /// The message to log when `account` is refused; both accounts are named, as support needs them.
  public func mismatch(entered account: Account) -> String {
    "the app's configuration allows `\(name)` only, entered was `\(account.upn)`"
  }
}

/// MDM's user of a device, as stated by an app's configuration.
///
/// Source: Microsoft Learn, "How to manage data transfer between iOS apps in Microsoft Intune", "Configure user UPN
/// setting for Microsoft Intune or third-party EMM".
public struct EnrolledUser: Sendable, Hashable {
  /// The account's UPN as the configuration writes it; nil where only the object id is stated.
  public let upn: String?
  /// The account's Entra object id; nil where only the UPN is stated.
  public let objectID: String?

  /// The account that a configuration names; nil: it names none.
  ///
  /// - Parameters:
  ///   - upn: The value of `IntuneMAMUPN`.
  ///   - objectID: The value of `IntuneMAMOID`.
  public init?(upn: String?, objectID: String?) {
    self.upn = upn.flatMap { $0.isEmpty ? nil : $0 }
    self.objectID = objectID.flatMap { $0.isEmpty ? nil : $0 }
    guard self.upn != nil || self.objectID != nil else { return nil }
  }

  /// Whether `account` is the enrolled user: by object id where both state one, otherwise by UPN. Casing does not
  /// matter.
  public func isSame(as account: Account) -> Bool {
    if let objectID, let theirs = account.objectID {
      return objectID.lowercased() == theirs.lowercased()
    }
    return upn?.lowercased() == account.upn.lowercased()
  }
}
