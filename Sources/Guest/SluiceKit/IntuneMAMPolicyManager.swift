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
  private var currentActivity: String?

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

  /// Runs `body`, in which the app opens what an account has opened; nil where no account is known.
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

/// The result of a switch of identity.
public enum IntuneMAMSwitchIdentityResult: Sendable {
  case success
  /// The user has not given the PIN or credentials that the account's policy asks for.
  case canceled
  /// A second managed account, an app of one identity, or a thread that acts for another account.
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

// MARK: - Threads

extension IntuneMAMPolicyManager {
  /// The identity that ``IntuneMAMSwiftContextManager`` has set at this point, as it was set.
  ///
  /// nil where unset, so that the identities of window and process count; `""` for the unknown account. On any
  /// thread: code that has no scope of its own, such as a handler that a library will call, can keep
  /// the identity and set it again.
  public static func getCurrentThreadAccountId() -> String? { ThreadIdentity.current.accountID }

  /// The current thread's account, as the static function returns it, on the thread of the app.
  public func getCurrentThreadAccountId() -> String? { Self.getCurrentThreadAccountId() }
}

/// Sets the identity of the running thread or task for a scope (`IntuneMAMSwiftContextManager` of the
/// Intune App SDK).
///
/// Within the scope the identity counts before those of the window and the process, for what the user sees and
/// for files. The scope restores the identity before it, whether it returns, throws or is cancelled, and
/// may contain others, of which the innermost counts. Swift has no call that sets an identity without a
/// scope, because asynchronous code changes threads (Intune App SDK for iOS, stage 5, "Change identity").
///
/// Code that runs elsewhere meanwhile does not see the identity, unless it takes it along: `Task { }`, `async let` and
/// the tasks of a group do, `Task.detached`, Dispatch, operations and threads do not. The module
/// SluiceDispatch has counterparts of the latter that do.
///
/// ```swift
/// try IntuneMAMSwiftContextManager.setAccountId("anna@contoso.com") {
///   try notes.write(to: "Documents/notes")
/// }
/// ```
public enum IntuneMAMSwiftContextManager {
  /// Runs `scope` for an account.
  ///
  /// - Parameters:
  ///   - accountId: a UPN or an object id in any casing; `""` for an unknown account, which nobody
  ///     manages; nil to unset, so that the identities of window and process count, also within the scope
  ///     of an account.
  ///   - scope: the body, which runs at once, on the caller's thread.
  /// - Throws: the error of `scope`.
  public static func setAccountId<Value, Failure>(
    _ accountId: String?, forScope scope: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try ThreadIdentity(accountID: accountId).scope(scope)
  }

  /// Runs asynchronous code for an account, on the caller's actor.
  ///
  /// - Parameters:
  ///   - accountId: a UPN or an object id in any casing; `""` for an unknown account, which nobody
  ///     manages; nil to unset, so that the identities of window and process count, also within the scope
  ///     of an account.
  ///   - scope: the body, which may change threads; the identity goes with it.
  /// - Throws: the error of `scope`.
  public nonisolated(nonsending) static func setAccountId<Value, Failure>(
    _ accountId: String?, forScope scope: nonisolated(nonsending) () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await ThreadIdentity(accountID: accountId).scope(scope)
  }
}

/// The identity that a scope has set for the running code: the identity of the thread, or of the task.
///
/// It is a value of the task (`TaskLocal`), or on a thread that runs no task, of the thread. The end of the scope
/// therefore restores it, whatever ends it, and no other thread ever sees it.
package enum ThreadIdentity: Sendable, Hashable {
  /// No scope has set an identity: the identity of the window counts, then that of the process.
  case unset
  /// The unknown account, which is unmanaged.
  case unknown
  /// A UPN or an object id as the app has written it. Not empty.
  case account(String)

  /// The identity of the running code.
  @TaskLocal package static var current: ThreadIdentity = .unset

  /// The identity that the SDK's calls name by `accountID`: nil is ``unset``, `""` is ``unknown``.
  package init(accountID: String?) {
    self =
      switch accountID {
      case nil: .unset
      case .some(""): .unknown
      case .some(let name): .account(name)
      }
  }

  /// The name by which the SDK's calls and the host's messages state the identity: nil when unset, `""` when unknown.
  package var accountID: String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let name): name
    }
  }

  /// Runs `body` under this identity, and restores the previous one however `body` ends.
  ///
  /// - Throws: the error of `body`.
  package func scope<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Self.$current.withValue(self) {
      Result { () throws(Failure) -> Value in try body() }
    }.get()
  }

  /// Runs `body` under this identity on the caller's actor, and restores the previous one however
  /// `body` ends.
  ///
  /// - Throws: the error of `body`.
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
