public import Model

/// An account's request to sign in to an app.
public struct SignInRequest: Sendable {
  public var account: Account
  /// Whether the service would enroll the account in this app: a policy or a configuration is targeted at it there.
  public var isManaged: Bool
  /// The accounts that the app's configuration allows; nil: it restricts nobody.
  public var allowed: AllowedAccounts?
  /// The accounts that are enrolled in the app now.
  public var managedAccounts: [Account]
  /// `MultiManagedIdentities`: whether the app takes several managed accounts.
  public var allowsSeveralManagedAccounts: Bool
  /// MDM's user of the device, as stated to the app; nil: MDM states none.
  public var enrolledUser: EnrolledUser?
  /// Whether the app asks the SDK to enroll the account, managed or not.
  public var asksForEnrollment: Bool

  /// Creates a request.
  public init(
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
  public static func status(of verdict: Verdict) -> EnrollmentStatus? {
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
public func evaluateSignIn(_ request: SignInRequest) -> Verdict {
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
