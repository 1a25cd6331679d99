internal import Model
internal import Wire

/// The identities that this app acts for (`IntuneMAMPolicyManager` of the Intune App SDK).
///
/// Identities have three levels: the process, each window, each thread. User-visible actions happen for the thread's
/// identity where it is set, else the window's, else the process's; files belong to the thread's, else the process's.
/// Everywhere nil means unset, and `""` an unknown, unmanaged account.
public final class IntuneMAMPolicyManager {
  private let host: any HostPort
  private var process: IdentityChange?
  private var mainWindow: IdentityChange?
  /// The identities of the other windows, by the windows' names.
  private var windows: [String: IdentityChange] = [:]
  /// The app's answer when an account is wiped; without a delegate the SDK removes the account's files.
  public var delegate: (any IntuneMAMPolicyDelegate)?
  /// Called when the identity of the process or a window has changed, for whatever reason.
  public var onIdentityChange: (() -> Void)?
  var currentActivity: String?

  init(_ host: any HostPort) { self.host = host }

  // MARK: windows

  /// Acts for another account in a window from when `completion` gets `success`; show nothing of that account
  /// before.
  ///
  /// - Parameters:
  ///   - accountId: a UPN or an object id in any casing; `""` for an unknown, unmanaged account; nil to unset.
  ///   - window: the window's name, which the app chooses; nil is the main one.
  public func setUIPolicyAccountId(
    _ accountId: String?, forWindow window: String? = nil,
    completion: @escaping (IntuneMAMSwitchIdentityResult) -> Void = { _ in }
  ) {
    change(SwitchIdentity(account: accountId, level: .window(window ?? "")), completion)
  }

  /// Shows data of several accounts in a window: with one managed account among them, its policy holds; with
  /// several, the most restrictive value of each setting.
  ///
  /// - Parameter accountIds: the accounts, at least one.
  public func setUIPolicyAccountIds(
    _ accountIds: [String], forWindow window: String? = nil,
    completion: @escaping (IntuneMAMSwitchIdentityResult) -> Void = { _ in }
  ) {
    change(
      SwitchIdentity(
        account: accountIds.first, level: .window(window ?? ""),
        others: Array(accountIds.dropFirst())), completion)
  }

  /// The account that a window acts for, not always in the casing in which it was set; nil where unset.
  public func getUIPolicyAccountId(forWindow window: String? = nil) -> String? {
    (window ?? "").isEmpty ? mainWindow?.account : windows[window ?? ""]?.account
  }

  /// Whether a policy applies to the identity of the main window.
  public var isIdentityManaged: Bool { mainWindow?.isManaged ?? false }

  // MARK: process

  /// Acts for another account wherever neither thread nor window has an identity. An app of several identities should
  /// set the identities of windows and threads instead.
  public func setProcessAccountId(
    _ accountId: String?, completion: @escaping (IntuneMAMSwitchIdentityResult) -> Void = { _ in }
  ) {
    change(SwitchIdentity(account: accountId, level: .process), completion)
  }

  /// The account of the process; nil where unset.
  public func getProcessAccountId() -> String? { process?.account }

  /// The account that an app of one identity passes for "the current account"; nil where unset.
  public var primaryAccountId: String? { getProcessAccountId() }

  /// The account for which a URL was opened, while the app opens it; nil where none is known, and at any other
  /// time.
  public func getAccountIdForCurrentActivity() -> String? { currentActivity }

  private func change(
    _ change: SwitchIdentity, _ completion: @escaping (IntuneMAMSwitchIdentityResult) -> Void
  ) {
    host.request(.switchIdentity(change)) {
      completion(IntuneMAMSwitchIdentityResult($0))
    }
  }

  func didChange(_ change: IdentityChange) {
    switch change.level {
    case .process: process = change
    case .mainWindow: mainWindow = change
    case .window(let name): windows[name] = change
    }
    onIdentityChange?()
  }
}

/// The result of a switch of identity.
public enum IntuneMAMSwitchIdentityResult: Sendable {
  case success
  /// The user has not given the PIN or credentials that the account's policy asks for.
  case canceled
  /// A second managed account, an app of one identity, or a thread that acts for another account.
  case notAllowed
  case failed

  init(_ outcome: RequestOutcome) {
    switch outcome.end {
    case .delivered, .deliveredEncrypted: self = .success
    case .undeliverable, .failed: self = .failed
    case .refused:
      let rules = outcome.reasons.compactMap { Rule(rawValue: $0.rule) }
      if rules.contains(where: \.isPrompt) {
        self = .canceled
      } else if rules.contains(where: \.isAboutAccounts) {
        self = .notAllowed
      } else {
        self = .failed
      }
    }
  }
}

extension Rule {
  /// Whether the rule asks for something that the user could still give.
  fileprivate var isPrompt: Bool {
    [
      .pinAsked, .pinWrong, .pinRetriesExceededResets, .pinResetRequired, .pinNotSet, .pinExpired,
      .pinOutdated, .biometricsUnavailable, .biometricsBlocked, .biometricsTimedOut,
      .credentialsAsked,
    ].contains(self)
  }

  fileprivate var isAboutAccounts: Bool {
    [
      .notMultiIdentity, .singleManagedAccount, .accountNotSignedIn, .accountBlocked,
      .threadOfOtherAccount,
    ].contains(self)
  }
}
