package import Model

/// An account's request to sign in to an app.
package struct SignInRequest: Sendable {
  package var account: Account
  /// Whether the service would enroll the account in this app: a policy or a configuration is targeted at it there.
  package var isManaged: Bool
  /// The accounts that the app's configuration allows; nil: it restricts nobody.
  package var allowed: AllowedAccounts?
  /// The accounts that are enrolled in the app now.
  package var managedAccounts: [Account]
  /// `MultiManagedIdentities`: whether the app takes several managed accounts.
  package var allowsSeveralManagedAccounts: Bool
  /// MDM's user of the device, as stated to the app; nil: MDM states none.
  package var enrolledUser: EnrolledUser?
  /// Whether the app asks the SDK to enroll the account, managed or not.
  package var asksForEnrollment: Bool

  /// Creates a request.
  package init(
    account: Account, isManaged: Bool, allowed: AllowedAccounts? = nil,
    managedAccounts: [Account] = [], allowsSeveralManagedAccounts: Bool = false,
    enrolledUser: EnrolledUser? = nil, asksForEnrollment: Bool = false
  ) {
    self.account = account
    self.isManaged = isManaged
    self.allowed = allowed
    self.managedAccounts = managedAccounts
    self.allowsSeveralManagedAccounts = allowsSeveralManagedAccounts
    self.enrolledUser = enrolledUser
    self.asksForEnrollment = asksForEnrollment
  }

  /// The enrollment status that an app hears of a refusal; nil: the refusal is not the SDK's.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentStatus`.
  package static func status(of verdict: Verdict) -> EnrollmentStatus? {
    let rules = verdict.reasons.map(\.rule)
    if rules.contains(.notEnrolledUser) { return .mdmEnrolledDifferentUser }
    return verdict.deciding.rule == .singleManagedAccount ? .singleManagedAccountMode : nil
  }
}

/// The verdict on the sign-in of the account: the app's configuration must allow the account, and a managed account
/// must find no other managed account in the app. On a device whose user MDM states to the app, no other account is
/// enrolled in an app that supports one managed account.
///
/// Sources: Intune App SDK for iOS, stage 4, allowed accounts, and stage 5, Identity overview; Microsoft Learn, "How to
/// manage data transfer between iOS apps in Microsoft Intune" and "Multiple managed accounts for app protection
/// policies".
package func evaluateSignIn(_ request: SignInRequest) -> Verdict {
  var reasons: [Reason] = []
  if let allowed = request.allowed {
    let rule: Rule = allowed.allows(request.account) ? .accountAllowed : .accountNotAllowed
    reasons.append(Reason(rule, .device, .allowedAccountsOnly))
  } else {
    reasons.append(Reason(.noAccountRestriction, .device))
  }
  return Verdict(reasons + singleAccountReasons(request))
}

/// An app's answer to a second managed account, if it supports one.
private func singleAccountReasons(_ request: SignInRequest) -> [Reason] {
  guard !request.allowsSeveralManagedAccounts else { return [] }
  let isEnrolled = request.isManaged || request.asksForEnrollment
  let isUser = request.enrolledUser?.isSame(as: request.account)
  if isEnrolled, isUser == false { return [Reason(.notEnrolledUser, .device, .enrolledUPN)] }
  let hasOther = request.managedAccounts.contains { !$0.isSame(as: request.account) }
  guard request.isManaged, hasOther else { return [] }
  guard isUser == true else { return [Reason(.singleManagedAccount, .device)] }
  return [Reason(.enrolledUserFirst, .device, .enrolledUPN)]
}

// MARK: - Accounts that a configuration names

/// The accounts that an app's configuration lets sign in.
///
/// Source: Microsoft Learn, "App configuration policies for managed iOS/iPadOS devices", "Allow only
/// configured organization accounts"; Intune App SDK for iOS, stage 4, allowed accounts.
package struct AllowedAccounts: Sendable, Hashable {
  /// The account that the configuration names.
  private let user: EnrolledUser

  /// The accounts that an app configuration allows; nil: it restricts nobody.
  ///
  /// - Parameters:
  ///   - allowedAccountsOnly: The value of `IntuneMAMAllowedAccountsOnly`; only `Enabled`, in any casing,
  ///     restricts.
  ///   - upn: The value of `IntuneMAMUPN`.
  ///   - objectID: The value of `IntuneMAMOID`.
  package init?(allowedAccountsOnly: String?, upn: String?, objectID: String?) {
    guard allowedAccountsOnly?.lowercased() == "enabled",
      let user = EnrolledUser(upn: upn, objectID: objectID)
    else { return nil }
    self.user = user
  }

  /// The account's UPN as the configuration writes it; nil where only the object id is stated.
  package var upn: String? { user.upn }

  /// The account's Entra object id; nil where only the UPN is stated.
  package var objectID: String? { user.objectID }

  /// Whether `account` is the configured one: by object id where both state one, otherwise by UPN. Casing
  /// does not matter.
  package func allows(_ account: Account) -> Bool { user.isSame(as: account) }

  /// Whether `accountID`, a UPN or an object id in any casing, names the configured account.
  func allows(accountID: String) -> Bool {
    let key = accountID.lowercased()
    return key == upn?.lowercased() || key == objectID?.lowercased()
  }

  /// The configured account, by UPN where there is one.
  package var name: String { upn ?? objectID ?? "" }

  /// The message to log when `account` is refused; both accounts are named, as support needs them.
  package func mismatch(entered account: Account) -> String {
    "the app's configuration allows `\(name)` only, entered was `\(account.upn)`"
  }
}

/// MDM's user of a device, as stated by an app's configuration.
///
/// Source: Microsoft Learn, "How to manage data transfer between iOS apps in Microsoft Intune", "Configure user UPN
/// setting for Microsoft Intune or third-party EMM".
package struct EnrolledUser: Sendable, Hashable {
  /// The account's UPN as the configuration writes it; nil where only the object id is stated.
  package let upn: String?
  /// The account's Entra object id; nil where only the UPN is stated.
  package let objectID: String?

  /// The account that a configuration names; nil: it names none.
  ///
  /// - Parameters:
  ///   - upn: The value of `IntuneMAMUPN`.
  ///   - objectID: The value of `IntuneMAMOID`.
  package init?(upn: String?, objectID: String?) {
    self.upn = upn.flatMap { $0.isEmpty ? nil : $0 }
    self.objectID = objectID.flatMap { $0.isEmpty ? nil : $0 }
    guard self.upn != nil || self.objectID != nil else { return nil }
  }

  /// Whether `account` is the enrolled user: by object id where both state one, otherwise by UPN. Casing does not
  /// matter.
  package func isSame(as account: Account) -> Bool {
    if let objectID, let theirs = account.objectID {
      return objectID.lowercased() == theirs.lowercased()
    }
    return upn?.lowercased() == account.upn.lowercased()
  }
}
