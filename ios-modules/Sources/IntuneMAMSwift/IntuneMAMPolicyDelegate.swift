internal import AppProcess
public import Foundation
public import UIKit

/// The receiver of what the SDK needs of the app. Each method may be left out.
public protocol IntuneMAMPolicyDelegate: NSObjectProtocol {
  /// The SDK needs the app to act for another account; `""` asks for an unmanaged one. Called on the main thread.
  ///
  /// - Parameter completionHandler: to be called once, on any thread.
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    completionHandler: @escaping @Sendable (IntuneMAMSwitchIdentityResult) -> Void)

  /// The same for a window; not called here: the device names no window.
  func identitySwitchRequired(
    forAccountId accountId: String, for window: UIWindow, reason: IntuneMAMIdentitySwitchReason,
    completionHandler: @escaping @Sendable (IntuneMAMSwitchIdentityResult) -> Void)

  /// The app is to hide an account. Called on the main thread.
  ///
  /// - Parameter completionHandler: to be called once, on any thread; after `failed` the app is ended.
  func blockAccountId(
    _ accountId: String, reason: IntuneMAMBlockAccountReason,
    completionHandler: @escaping @Sendable (IntuneMAMBlockAccountResult) -> Void)

  /// The same for a window; not called here: the device names no window.
  func blockAccountId(
    _ accountId: String, reason: IntuneMAMBlockAccountReason, for window: UIWindow,
    completionHandler: @escaping @Sendable (IntuneMAMBlockAccountResult) -> Void)

  /// The app is to remove an account's data. Called on a background thread.
  ///
  /// - Returns: whether all of it is gone; where false, the SDK deletes the files that it knows as the account's.
  func wipeData(forAccountId accountId: String) -> Bool

  /// The app has to start anew, for its first policy. Called on a background thread.
  ///
  /// - Returns: whether it does so itself.
  func restartApplication() -> Bool

  /// The SDK has enrolled an account by itself, which the app is to add. Called on the main thread.
  ///
  /// - Parameter completionHandler: to be called once, on any thread.
  func addAccountId(
    _ accountId: String,
    completionHandler: @escaping @Sendable (IntuneMAMAddIdentityResult) -> Void)
}

extension IntuneMAMPolicyDelegate {
  public func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    completionHandler: @escaping @Sendable (IntuneMAMSwitchIdentityResult) -> Void
  ) { Requirement.isMissing(in: self) }

  public func identitySwitchRequired(
    forAccountId accountId: String, for window: UIWindow, reason: IntuneMAMIdentitySwitchReason,
    completionHandler: @escaping @Sendable (IntuneMAMSwitchIdentityResult) -> Void
  ) { Requirement.isMissing(in: self) }

  public func blockAccountId(
    _ accountId: String, reason: IntuneMAMBlockAccountReason,
    completionHandler: @escaping @Sendable (IntuneMAMBlockAccountResult) -> Void
  ) { Requirement.isMissing(in: self) }

  public func blockAccountId(
    _ accountId: String, reason: IntuneMAMBlockAccountReason, for window: UIWindow,
    completionHandler: @escaping @Sendable (IntuneMAMBlockAccountResult) -> Void
  ) { Requirement.isMissing(in: self) }

  public func wipeData(forAccountId accountId: String) -> Bool {
    Requirement.isMissing(in: self)
    return false
  }

  public func restartApplication() -> Bool {
    Requirement.isMissing(in: self)
    return false
  }

  public func addAccountId(
    _ accountId: String,
    completionHandler: @escaping @Sendable (IntuneMAMAddIdentityResult) -> Void
  ) { Requirement.isMissing(in: self) }
}

/// Says of a web view's pages which are the organisation's own. No web view is simulated, hence it is never asked.
public protocol IntuneMAMWebViewPolicyDelegate: NSObjectProtocol {
  func isExternalURL(_ url: URL) -> Bool
}

/// The reason why the app is to act for another account.
public enum IntuneMAMIdentitySwitchReason: UInt, Sendable {
  case openURL
  case cancelConditionalLaunch
  case documentImport
}

/// Whether the app has added an account.
public enum IntuneMAMAddIdentityResult: UInt, Sendable {
  case success
  case failed
}

/// Whether the app has hidden an account.
public enum IntuneMAMBlockAccountResult: UInt, Sendable {
  case success
  case failed
}

/// The reason why an account is hidden.
public enum IntuneMAMBlockAccountReason: UInt, Sendable {
  case notBlocked
  case conditionalLaunchBlocked
  case conditionalLaunchCanceled
  case clockedOut
}

/// How a switch of identity ended.
public enum IntuneMAMSwitchIdentityResult: UInt, Sendable {
  case success
  /// The user has not given what the account's policy asks for.
  case canceled
  /// A second managed account where one is allowed, or a thread that acts for another account.
  case notAllowed
  case failed
}
