internal import AppProcess
public import Foundation
internal import SluiceKit
public import UIKit

/// Gets and sets the identities of this app, and provides their policies.
open class IntuneMAMPolicyManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMPolicyManager()
  private let sdk = SDK.shared

  /// The policy delegate. Set it before `application(_:willFinishLaunchingWithOptions:)` returns.
  open var delegate: (any IntuneMAMPolicyDelegate)?
  /// The receiver of log messages. Its method is never called, because the device's journal contains the events
  /// instead.
  open var logger: (any IntuneMAMLogger)?

  private override init() { super.init() }

  open class func instance() -> IntuneMAMPolicyManager { shared }

  // MARK: The user interface

  /// Switches the identity of the main window.
  ///
  /// - Parameters:
  ///   - accountId: The object id; `""` for an unknown, unmanaged account; nil to unset the
  ///     identity.
  ///   - completionHandler: Called on the main thread.
  open func setUIPolicyAccountId(
    _ accountId: String?,
    completionHandler: (@Sendable (IntuneMAMSwitchIdentityResult) -> Void)? = nil
  ) {
    setUIPolicyAccountId(accountId, for: nil, completionHandler: completionHandler)
  }

  /// Switches the identity of a window.
  ///
  /// - Parameter window: The window; nil for the main window.
  open func setUIPolicyAccountId(
    _ accountId: String?, for window: UIWindow?,
    completionHandler: (@Sendable (IntuneMAMSwitchIdentityResult) -> Void)? = nil
  ) {
    let name = window?.nameOnDevice
    let handler = Carried(completionHandler)
    sdk.process.tell { [self] app in
      app.policyManager.setUIPolicyAccountId(accountId, forWindow: name) {
        let accounts = [accountId].compactMap(\.self).map(app.enrollmentManager.accountId)
        self.didSwitch(name, to: accounts, $0, handler)
      }
    }
  }

  /// Sets the accounts whose data the main window shows; nil or empty for an unknown, unmanaged account.
  open func setUIPolicyAccountIds(
    _ accountIds: [String]?,
    completionHandler: (@Sendable (IntuneMAMSwitchIdentityResult) -> Void)? = nil
  ) {
    setUIPolicyAccountIds(accountIds, for: nil, completionHandler: completionHandler)
  }

  /// Sets the accounts whose data a window shows; nil or empty for an unknown, unmanaged account.
  ///
  /// - Parameter window: The window; nil for the main window.
  open func setUIPolicyAccountIds(
    _ accountIds: [String]?, for window: UIWindow?,
    completionHandler: (@Sendable (IntuneMAMSwitchIdentityResult) -> Void)? = nil
  ) {
    let name = window?.nameOnDevice
    let accounts = accountIds.flatMap { $0.isEmpty ? nil : $0 } ?? [""]
    let handler = Carried(completionHandler)
    sdk.process.tell { [self] app in
      app.policyManager.setUIPolicyAccountIds(accounts, forWindow: name) {
        let accounts = accounts.map(app.enrollmentManager.accountId)
        self.didSwitch(name, to: accounts, $0, handler)
      }
    }
  }

  private func didSwitch(
    _ window: String?, to accounts: [String], _ result: SluiceKit.IntuneMAMSwitchIdentityResult,
    _ handler: Carried<(@Sendable (IntuneMAMSwitchIdentityResult) -> Void)?>
  ) {
    if result == .success { sdk.didShow(accounts, inWindow: window) }
    let result = IntuneMAMSwitchIdentityResult(result)
    Callback.onMain("the completion handler of setUIPolicyAccountId") {
      handler.take()??(result)
    }
  }

  /// Returns the account of the main window; nil if unset.
  open func getUIPolicyAccountId() -> String? { getUIPolicyAccountId(for: nil) }

  /// Returns the account of a window; nil if unset, or if the window shows several accounts.
  open func getUIPolicyAccountId(for window: UIWindow?) -> String? {
    let accounts = getUIPolicyAccountIds(for: window)
    return accounts?.count == 1 ? accounts?.first : nil
  }

  /// Returns the accounts of a window; nil if unset.
  open func getUIPolicyAccountIds(for window: UIWindow?) -> [String]? {
    let name = window?.nameOnDevice
    let first = sdk.process.read { app in
      app.policyManager.getUIPolicyAccountId(forWindow: name).map(app.enrollmentManager.accountId)
    }
    guard let first else { return nil }
    return sdk.accounts(inWindow: name, beginningWith: first)
  }

  /// Returns the lowercase names of the accounts that the SDK has asked the app to hide. When a window shows an account
  /// again, the account is no longer in the list.
  open func blockedAccountIds() -> [String] { sdk.blockedAccounts }

  /// Returns the reason why the SDK has asked the app to hide the account; `notBlocked` if the account is not hidden.
  open func blockedReason(forAccountId accountId: String) -> IntuneMAMBlockAccountReason {
    sdk.blockedReason(of: accountId)
  }

  // MARK: Thread and process

  /// Returns the account of the calling thread; nil if unset. ``IntuneMAMSwiftContextManager`` sets
  /// it.
  open func getCurrentThreadAccountId() -> String? {
    SluiceKit.IntuneMAMPolicyManager.getCurrentThreadAccountId()
  }

  /// Sets the account that applies if neither the thread nor the window has one.
  open func setProcessAccountId(_ accountId: String?) {
    let _: Bool = sdk.process.ask { app, answer in
      app.policyManager.setProcessAccountId(accountId) { answer($0 == .success) }
    }
  }

  /// Returns the account of the process; nil if unset.
  open func getProcessAccountId() -> String? {
    sdk.process.read { app in
      app.policyManager.getProcessAccountId().map(app.enrollmentManager.accountId)
    }
  }

  /// Returns the account for which the app is currently opening a URL. Nil if the account is unknown, or if the app is
  /// not opening a URL.
  open func getAccountIdForCurrentActivity() -> String? { sdk.process.currentActivity }

  // MARK: Managed accounts

  /// Returns whether a policy manages at least one of the app's accounts.
  open func isManagementEnabled() -> Bool { !managedAccountIds.isEmpty }

  /// Returns whether a policy applies to the account.
  open func isAccountIdManaged(_ accountId: String?) -> Bool {
    guard let accountId else { return false }
    return managedAccountIds.contains { isIdentity($0, equalTo: accountId) }
  }

  /// Returns whether two account names are equal, ignoring case. nil equals `""`. A UPN never equals an object id, even
  /// if both belong to one account.
  open func isIdentity(_ identity1: String?, equalTo identity2: String?) -> Bool {
    (identity1 ?? "").lowercased() == (identity2 ?? "").lowercased()
  }

  /// The first managed account; nil if there is none.
  open var primaryAccountId: String? { managedAccountIds.first }

  /// The object ids of the managed accounts, or the UPNs of accounts without one.
  open var managedAccountIds: [String] {
    sdk.process.read { $0.enrollmentManager.managedAccountIds() }
  }

  /// The source of the policy: `mam` if the app has a managed account, otherwise `other`.
  open var mamPolicySource: IntuneMAMPolicySource { managedAccountIds.isEmpty ? .other : .mam }

  // MARK: Policies

  /// Returns the policy of the account for which the calling thread acts.
  open func policy() -> (any IntuneMAMPolicy)? { AccountPolicy(.present) }

  /// Returns the policy of an account; nil if none applies to it.
  open func policy(forAccountId accountId: String?) -> (any IntuneMAMPolicy)? {
    guard isAccountIdManaged(accountId) else { return nil }
    return AccountPolicy(.account(accountId ?? ""))
  }

  /// Returns the policy of the first managed account; nil if none is managed.
  open func policy(forAccountIds accountIds: [String]?) -> (any IntuneMAMPolicy)? {
    (accountIds ?? []).first(where: isAccountIdManaged).flatMap { policy(forAccountId: $0) }
  }

  /// Returns the policy of the first managed account of a window; nil if none is managed.
  open func policy(for window: UIWindow?) -> (any IntuneMAMPolicy)? {
    policy(forAccountIds: getUIPolicyAccountIds(for: window))
  }

  // MARK: Web views

  /// This method has no effect, because web views are not simulated.
  open func setWebViewPolicyDelegate(
    _ delegate: (any IntuneMAMWebViewPolicyDelegate)?, forWebViewer webViewer: Any
  ) {
    sdk.withoutEffect("setWebViewPolicyDelegate(_:forWebViewer:)", "web views are not simulated")
  }

  /// This method has no effect, because web views are not simulated.
  open func setWebViewPolicy(_ webViewPolicy: IntuneMAMWebViewPolicy, forWebViewer webViewer: Any) {
    sdk.withoutEffect("setWebViewPolicy(_:forWebViewer:)", "web views are not simulated")
  }
}

public enum IntuneMAMPolicySource: Int, Sendable {
  case mdm = 0
  case mam = 1
  case other = 2
}

/// The policy that applies to a web view.
public enum IntuneMAMWebViewPolicy: Int, Sendable {
  case unset = 0
  case unmanaged = 1
  case currentIdentity = 2
  case currentIdentityBlockUpload = 3
}

/// Receives the SDK's log messages.
public protocol IntuneMAMLogger: NSObjectProtocol {
  func log(_ message: String, level: IntuneMAMLogLevel)
}

public struct IntuneMAMLogLevel: RawRepresentable, Equatable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

public let IntuneMAMLogLevelVerbose = IntuneMAMLogLevel(0)
public let IntuneMAMLogLevelInfo = IntuneMAMLogLevel(1)
public let IntuneMAMLogLevelWarning = IntuneMAMLogLevel(2)
public let IntuneMAMLogLevelError = IntuneMAMLogLevel(3)
