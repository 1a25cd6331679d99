public import Model

/// An account's request to sign in to an app.
public struct SignInRequest: Sendable {
  public var account: Account
  /// Whether a policy would apply to the account in this app.
  public var isManaged: Bool
  /// The accounts that the app's configuration allows; nil: it restricts nobody.
  public var allowed: AllowedAccounts?
  /// The managed accounts that are signed in to the app now.
  public var managedAccounts: [Account]
  /// `MultiManagedIdentities`: whether the app takes several managed accounts.
  public var allowsSeveralManagedAccounts: Bool

  /// Creates a request.
  public init(
    account: Account, isManaged: Bool, allowed: AllowedAccounts? = nil,
    managedAccounts: [Account] = [], allowsSeveralManagedAccounts: Bool = false
  ) {
    self.account = account
    self.isManaged = isManaged
    self.allowed = allowed
    self.managedAccounts = managedAccounts
    self.allowsSeveralManagedAccounts = allowsSeveralManagedAccounts
  }

  /// The enrollment status of a refusal by the rule `singleManagedAccount`.
  ///
  /// Source: Intune App SDK for iOS, `IntuneMAMEnrollmentStatus`.
  public static let singleManagedAccountStatus = 227
}

/// The verdict on the sign-in of the account: the app's configuration must allow the account, and a managed account
/// must find no other managed account in the app.
///
/// Source: Intune App SDK for iOS, stage 4, allowed accounts, and stage 5, Identity overview.
public func evaluateSignIn(_ request: SignInRequest) -> Verdict {
  var reasons: [Reason] = []
  if let allowed = request.allowed {
    let rule: Rule = allowed.allows(request.account) ? .accountAllowed : .accountNotAllowed
    reasons.append(Reason(rule, .device, .allowedAccountsOnly))
  } else {
    reasons.append(Reason(.noAccountRestriction, .device))
  }
  let hasOther = request.managedAccounts.contains { !$0.isSame(as: request.account) }
  if request.isManaged, hasOther, !request.allowsSeveralManagedAccounts {
    reasons.append(Reason(.singleManagedAccount, .device))
  }
  return Verdict(reasons)
}
