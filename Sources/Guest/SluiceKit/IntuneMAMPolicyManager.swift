internal import Model
internal import Wire

/// Gets and sets the identities that this app acts for (`IntuneMAMPolicyManager` of the Intune App SDK).
///
/// An identity can be set for the process, a window or a thread. User-visible actions use the first identity that is
/// set: the thread's, the window's, the process's. Files use the thread's identity if it is set, otherwise the
/// process's. In all parameters, nil means unset, and `""` means an unknown, unmanaged account.
public final class IntuneMAMPolicyManager {
  private let host: any HostPort
  private var process: IdentityChange?
  private var mainWindow: IdentityChange?
  /// The identities of all windows except the main window, keyed by window name.
  private var windows: [String: IdentityChange] = [:]
  /// The delegate that wipes accounts. Without a delegate, the SDK removes the account's files.
  public var delegate: (any IntuneMAMPolicyDelegate)?
  /// Called after the identity of the process or a window has changed, for any reason.
  public var onIdentityChange: (() -> Void)?
  private var currentActivity: String?

  init(_ host: any HostPort) { self.host = host }

  // MARK: Windows

  /// Switches a window to another account.
  ///
  /// Do not show the account's data before `completion` receives `success`.
  ///
  /// - Parameters:
  ///   - accountId: A UPN or an object id in any casing; `""` for an unknown, unmanaged account;
  ///     nil to unset.
  ///   - window: A window name chosen by the app; nil for the main window.
  public func setUIPolicyAccountId(
    _ accountId: String?, forWindow window: String? = nil,
    completion: @escaping (IntuneMAMSwitchIdentityResult) -> Void = { _ in }
  ) {
    change(SwitchIdentity(account: accountId, level: .window(window ?? "")), completion)
  }

  /// Switches a window to several accounts. The window shows their data together.
  ///
  /// If one of the accounts is managed, its policy applies. If several are managed, the most
  /// restrictive value of each setting applies.
  ///
  /// - Parameter accountIds: One or more accounts.
  public func setUIPolicyAccountIds(
    _ accountIds: [String], forWindow window: String? = nil,
    completion: @escaping (IntuneMAMSwitchIdentityResult) -> Void = { _ in }
  ) {
    change(
      SwitchIdentity(
        account: accountIds.first, level: .window(window ?? ""),
        others: Array(accountIds.dropFirst())), completion)
  }

  /// Returns a window's account; nil if unset. Its casing may differ from that in the call that set it.
  public func getUIPolicyAccountId(forWindow window: String? = nil) -> String? {
    (window ?? "").isEmpty ? mainWindow?.account : windows[window ?? ""]?.account
  }

  /// Whether a policy applies to the identity of the main window.
  public var isIdentityManaged: Bool { mainWindow?.isManaged ?? false }

  // MARK: Process

  /// Switches the process to another account. The process's account applies if neither the thread
  /// nor the window has an identity.
  ///
  /// A multi-identity app should set the identities of windows and threads instead.
  public func setProcessAccountId(
    _ accountId: String?, completion: @escaping (IntuneMAMSwitchIdentityResult) -> Void = { _ in }
  ) {
    change(SwitchIdentity(account: accountId, level: .process), completion)
  }

  /// Returns the account of the process; nil if unset.
  public func getProcessAccountId() -> String? { process?.account }

  /// The account of the process, which a single-identity app always acts for; nil if unset.
  public var primaryAccountId: String? { getProcessAccountId() }

  /// Returns the account that sent the URL that the app is opening now. Returns nil if the account is unknown, or if
  /// the app is not opening a URL.
  public func getAccountIdForCurrentActivity() -> String? { currentActivity }

  /// Runs `body`, in which the app opens a URL sent by `account`; nil if the sender's account is unknown.
  func withCurrentActivity(of account: String?, _ body: () -> Void) {
    currentActivity = account
    body()
    currentActivity = nil
  }

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

public enum IntuneMAMSwitchIdentityResult: Sendable {
  case success
  /// The user did not provide the PIN or the credentials that the account's policy requires.
  case canceled
  /// The SDK does not currently allow the switch.
  ///
  /// Possible reasons are a second managed account, an account that is blocked, not signed in or being wiped, a
  /// single-identity app, and a call on a thread that acts for another account.
  case notAllowed
  case failed

  fileprivate init(_ outcome: RequestOutcome) {
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
  /// Whether the rule asks the user for a PIN, a biometric check or credentials. A switch refused by this rule has the
  /// result ``canceled``.
  fileprivate var isPrompt: Bool {
    [
      .pinAsked, .pinWrong, .pinRetriesExceededResets, .pinResetRequired, .pinNotSet, .pinExpired,
      .pinOutdated, .biometricsUnavailable, .biometricsBlocked, .biometricsTimedOut,
      .credentialsAsked,
    ].contains(self)
  }

  /// Whether a switch refused by this rule has the result ``notAllowed``: the SDK does not currently allow a switch to
  /// the account (`IntuneMAMSwitchIdentityResultNotAllowed` in `IntuneMAMPolicyManager.h`).
  fileprivate var isAboutAccounts: Bool {
    [
      .notMultiIdentity, .singleManagedAccount, .accountNotSignedIn, .accountBlocked,
      .accountBeingWiped, .threadOfOtherAccount,
    ].contains(self)
  }
}

// MARK: - Threads

extension IntuneMAMPolicyManager {
  /// Returns the thread identity set by ``IntuneMAMSwiftContextManager``, as it was passed.
  ///
  /// The result is nil if the identity is unset, so the window's or the process's identity applies,
  /// and `""` for the unknown account. Any thread may call this method. Code without its own scope,
  /// such as a handler that a library calls, can save the identity and set it again.
  public static func getCurrentThreadAccountId() -> String? { ThreadIdentity.current.accountID }

  /// Returns the current thread's account, as the static method does.
  public func getCurrentThreadAccountId() -> String? { Self.getCurrentThreadAccountId() }
}

/// Sets the identity of the current thread or task for a scope
/// (`IntuneMAMSwiftContextManager` of the Intune App SDK).
///
/// Within the scope, the identity takes precedence over the identities of the window and the process,
/// both for user-visible actions and for files. The scope restores the previous identity whether it
/// returns, throws or is cancelled. Scopes nest; the innermost applies. For Swift, there is no call
/// that sets an identity without a scope, because asynchronous code changes threads (Intune App SDK
/// for iOS, stage 5, "Change identity").
///
/// Code that runs elsewhere sees the identity only if it inherits it. `Task { }`, `async let` and
/// the tasks of a group inherit it; `Task.detached`, Dispatch, operations and threads do not. The
/// module SluiceDispatch has counterparts of Dispatch queues and operation queues that inherit it.
///
/// ```swift
/// IntuneMAMSwiftContextManager.setAccountId("anna@contoso.com") {
///   app.openFile(atPath: "Documents/notes", for: .truncating) { … }
/// }
/// ```
public enum IntuneMAMSwiftContextManager {
  /// Runs `scope` for an account, synchronously on the caller's thread.
  ///
  /// - Parameter accountId: A UPN or an object id in any casing; `""` for an unknown, unmanaged
  ///   account. If nil, the thread identity is unset, and the window's or the process's identity
  ///   applies, even inside another account's scope.
  /// - Throws: The error of `scope`.
  public static func setAccountId<Value, Failure>(
    _ accountId: String?, forScope scope: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try ThreadIdentity(accountID: accountId).scope(scope)
  }

  /// Runs asynchronous code for an account, on the caller's actor.
  ///
  /// - Parameters:
  ///   - accountId: A UPN or an object id in any casing; `""` for an unknown, unmanaged account. If nil, the thread
  ///     identity is unset, as for the synchronous method.
  ///   - scope: The asynchronous code. It keeps the identity when it changes threads.
  /// - Throws: The error of `scope`.
  public nonisolated(nonsending) static func setAccountId<Value, Failure>(
    _ accountId: String?, forScope scope: nonisolated(nonsending) () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await ThreadIdentity(accountID: accountId).scope(scope)
  }
}

/// The identity that a scope has set for the current thread or task.
///
/// The identity is a task-local value, or a thread-local value if the thread runs no task. The end
/// of the scope therefore always restores the previous identity, and no other thread sees it.
package enum ThreadIdentity: Sendable, Hashable {
  /// No scope has set an identity. The window's identity applies, or else the process's.
  case unset
  /// The unknown account, which is unmanaged.
  case unknown
  /// A UPN or an object id, as passed by the app. It is not empty.
  case account(String)

  @TaskLocal package static var current: ThreadIdentity = .unset

  /// Creates the identity from an `accountId` of the SDK: nil means ``unset``, and `""` means
  /// ``unknown``.
  package init(accountID: String?) {
    self =
      switch accountID {
      case nil: .unset
      case .some(""): .unknown
      case .some(let name): .account(name)
      }
  }

  /// The identity in the notation of the SDK and the host's messages: nil if unset, `""` if
  /// unknown.
  package var accountID: String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let name): name
    }
  }

  /// Runs `body` with this identity, and restores the previous identity even if `body` throws.
  package func scope<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Self.$current.withValue(self) {
      Result { () throws(Failure) -> Value in try body() }
    }.get()
  }

  /// Runs `body` with this identity on the caller's actor, and restores the previous identity even if `body` throws.
  package nonisolated(nonsending) func scope<Value, Failure>(
    _ body: nonisolated(nonsending) () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await Self.$current.withValue(self) {
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
