package import Model

package struct SignInRequest: Sendable {
  package var account: Account
  /// Whether a policy or configuration targets the account in this app. If so, the Intune service would enroll the
  /// account.
  package var isManaged: Bool
  /// The accounts that the app's configuration allows; nil for no restriction.
  package var allowed: AllowedAccounts?
  /// The accounts that are now enrolled in the app.
  package var managedAccounts: [Account]
  /// Whether the app supports several managed accounts: `MultiManagedIdentities`.
  package var allowsSeveralManagedAccounts: Bool
  /// The user for whom MDM enrolled the device, according to the app's configuration; nil if the configuration names no
  /// user.
  package var enrolledUser: EnrolledUser?
  /// Whether the app requests enrollment of the account, even if the account is unmanaged.
  package var asksForEnrollment: Bool

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

  /// Returns the enrollment status that the app gets if `verdict` denies a sign-in for one of two reasons: the account
  /// is not the device's user, or the app already has another managed account. Returns nil for other verdicts.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentStatus`.
  package static func status(of verdict: Verdict) -> EnrollmentStatus? {
    let rules = verdict.reasons.map(\.rule)
    if rules.contains(.notEnrolledUser) { return .mdmEnrolledDifferentUser }
    return verdict.deciding.rule == .singleManagedAccount ? .singleManagedAccountMode : nil
  }
}

/// Returns the verdict on a sign-in. The app's configuration must allow the account.
///
/// Two more rules apply to an app that supports only one managed account. The app denies a second managed account. If
/// MDM provides the device's user to the app, only this user can be enrolled, and this user's account replaces another
/// managed account.
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

/// Returns the reason that follows from the limit of one managed account per app; empty if the limit does not affect
/// the request.
private func singleAccountReasons(_ request: SignInRequest) -> [Reason] {
  guard !request.allowsSeveralManagedAccounts else { return [] }
  let isEnrolled = request.isManaged || request.asksForEnrollment
  let isUser = request.enrolledUser?.isSameUser(as: request.account)
  if isEnrolled, isUser == false { return [Reason(.notEnrolledUser, .device, .enrolledUPN)] }
  let hasOther = request.managedAccounts.contains { !$0.isSameUser(as: request.account) }
  guard request.isManaged, hasOther else { return [] }
  guard isUser == true else { return [Reason(.singleManagedAccount, .device)] }
  return [Reason(.enrolledUserFirst, .device, .enrolledUPN)]
}

// MARK: - Configured accounts

/// The accounts that may sign in according to an app's configuration.
///
/// Source: Microsoft Learn, "App configuration policies for managed iOS/iPadOS devices", "Allow only
/// configured organization accounts"; Intune App SDK for iOS, stage 4, allowed accounts.
package struct AllowedAccounts: Sendable, Hashable {
  private let user: EnrolledUser

  /// Creates the allowed accounts from an app configuration. Returns nil if the configuration does not restrict
  /// accounts.
  ///
  /// - Parameters:
  ///   - allowedAccountsOnly: The value of `IntuneMAMAllowedAccountsOnly`. Only `Enabled`, in any casing, restricts.
  ///   - upn: The value of `IntuneMAMUPN`.
  ///   - objectID: The value of `IntuneMAMOID`.
  package init?(allowedAccountsOnly: String?, upn: String?, objectID: String?) {
    guard allowedAccountsOnly?.lowercased() == "enabled",
      let user = EnrolledUser(upn: upn, objectID: objectID)
    else { return nil }
    self.user = user
  }

  /// The configured UPN, in its original spelling; nil if only the object id is configured.
  package var upn: String? { user.upn }

  /// The configured Entra object id; nil if only the UPN is configured.
  package var objectID: String? { user.objectID }

  /// Returns whether `account` is the configured user. Compares object ids, or UPNs if either object id is unknown.
  /// Ignores case.
  package func allows(_ account: Account) -> Bool { user.isSameUser(as: account) }

  package var name: String { upn ?? objectID ?? "" }

  /// Returns the log message for a denied `account`. It contains both accounts, because support needs them.
  package func mismatch(entered account: Account) -> String {
    "the app's configuration allows only `\(name)`, but the entered account is `\(account.upn)`"
  }
}

/// The user of an MDM-enrolled device, as given by an app's configuration.
///
/// Source: Microsoft Learn, "How to manage data transfer between iOS apps in Microsoft Intune", "Configure
/// user UPN setting for Microsoft Intune or third-party EMM".
package struct EnrolledUser: Sendable, Hashable {
  /// The UPN in its original spelling; nil if only the object id is configured.
  package let upn: String?
  /// The Entra object id; nil if only the UPN is configured.
  package let objectID: String?

  /// Creates the user from an app configuration. Returns nil if both values are missing or empty.
  ///
  /// - Parameters:
  ///   - upn: The value of `IntuneMAMUPN`.
  ///   - objectID: The value of `IntuneMAMOID`.
  package init?(upn: String?, objectID: String?) {
    self.upn = upn.flatMap { $0.isEmpty ? nil : $0 }
    self.objectID = objectID.flatMap { $0.isEmpty ? nil : $0 }
    guard self.upn != nil || self.objectID != nil else { return nil }
  }

  /// Returns whether `account` is this user. Compares object ids, or UPNs if either object id is unknown. Ignores case.
  package func isSameUser(as account: Account) -> Bool {
    if let objectID, let theirs = account.objectID {
      return objectID.lowercased() == theirs.lowercased()
    }
    return upn?.lowercased() == account.upn.lowercased()
  }
}
