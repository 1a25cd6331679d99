internal import AppProcess
public import Foundation
public import UIKit

/// Receives the SDK's requests to the app. All methods are optional.
public protocol IntuneMAMPolicyDelegate: NSObjectProtocol {
  /// Asks the app to switch to another account; `""` stands for an unmanaged account. Called on the
  /// main thread.
  ///
  /// - Parameter completionHandler: Must be called exactly once, on any thread.
  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    completionHandler: @escaping @Sendable (IntuneMAMSwitchIdentityResult) -> Void)

  /// Asks the app to switch accounts in a window. This method is never called, because no request of the device
  /// concerns a single window.
  func identitySwitchRequired(
    forAccountId accountId: String, for window: UIWindow, reason: IntuneMAMIdentitySwitchReason,
    completionHandler: @escaping @Sendable (IntuneMAMSwitchIdentityResult) -> Void)

  /// Asks the app to hide an account. Called on the main thread.
  ///
  /// - Parameter completionHandler: Must be called exactly once, on any thread. The result `failed`
  ///   ends the app.
  func blockAccountId(
    _ accountId: String, reason: IntuneMAMBlockAccountReason,
    completionHandler: @escaping @Sendable (IntuneMAMBlockAccountResult) -> Void)

  /// Asks the app to hide an account in a window. This method is never called, because no request of the device
  /// concerns a single window.
  func blockAccountId(
    _ accountId: String, reason: IntuneMAMBlockAccountReason, for window: UIWindow,
    completionHandler: @escaping @Sendable (IntuneMAMBlockAccountResult) -> Void)

  /// Asks the app to delete an account's data. Called on a background thread.
  ///
  /// - Returns: Whether all data has been deleted. If false, the SDK deletes the files that it
  ///   knows to belong to the account.
  func wipeData(forAccountId accountId: String) -> Bool

  /// Asks the app to restart in order to apply its first policy. Called on a background thread.
  ///
  /// - Returns: Whether the app restarts itself.
  func restartApplication() -> Bool

  /// Asks the app to add an account that the SDK has enrolled by itself. Called on the main thread.
  ///
  /// - Parameter completionHandler: Must be called exactly once, on any thread.
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

/// Identifies web pages that do not belong to the organisation. The SDK never calls its method, because web views are
/// not simulated.
public protocol IntuneMAMWebViewPolicyDelegate: NSObjectProtocol {
  func isExternalURL(_ url: URL) -> Bool
}

public enum IntuneMAMIdentitySwitchReason: UInt, Sendable {
  case openURL
  case cancelConditionalLaunch
  case documentImport
}

public enum IntuneMAMAddIdentityResult: UInt, Sendable {
  case success
  case failed
}

public enum IntuneMAMBlockAccountResult: UInt, Sendable {
  case success
  case failed
}

public enum IntuneMAMBlockAccountReason: UInt, Sendable {
  case notBlocked
  case conditionalLaunchBlocked
  case conditionalLaunchCanceled
  case clockedOut
}

public enum IntuneMAMSwitchIdentityResult: UInt, Sendable {
  case success
  /// The user did not meet the requirements in the account's policy.
  case canceled
  /// The switch is not permitted. Examples are a second managed account, an account that is not signed in, and a call
  /// on a thread that acts for another account.
  case notAllowed
  case failed
}
