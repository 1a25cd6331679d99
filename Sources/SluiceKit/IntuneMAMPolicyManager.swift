internal import Transfer
internal import Wire

/// For whom this app acts (`IntuneMAMPolicyManager` of the Intune App SDK).
public final class IntuneMAMPolicyManager {
  private unowned let application: Application
  private var account: String?
  /// Whether a policy applies to the present UI identity.
  public private(set) var isIdentityManaged = false
  /// Called when the identity has changed, for whatever reason.
  public var onIdentityChange: (() -> Void)?

  init(_ application: Application) { self.application = application }

  /// Acts for another account from when `completion` gets `success`; show nothing of that account before.
  ///
  /// - Parameter accountId: a UPN or an object id in any casing; `""` for an unknown, unmanaged account;
  ///   nil to unset.
  public func setUIPolicyAccountId(
    _ accountId: String?, completion: @escaping (IntuneMAMSwitchIdentityResult) -> Void = { _ in }
  ) {
    application.request(.switchIdentity(account: accountId)) { outcome in
      completion(IntuneMAMSwitchIdentityResult(outcome))
    }
  }

  /// The account that the app acts for, not always in the casing in which it was set; nil when unset.
  public func getUIPolicyAccountId() -> String? { account }

  func didChange(account: String?, isManaged: Bool) {
    self.account = account
    isIdentityManaged = isManaged
    onIdentityChange?()
  }
}

/// How a switch of identity went.
public enum IntuneMAMSwitchIdentityResult: Sendable {
  case success
  case canceled
  case notAllowed
  case failed

  init(_ outcome: RequestOutcome) {
    switch outcome.end {
    case .delivered, .deliveredEncrypted: self = .success
    case .refused: self = .notAllowed
    case .undeliverable, .failed: self = .failed
    }
  }
}
