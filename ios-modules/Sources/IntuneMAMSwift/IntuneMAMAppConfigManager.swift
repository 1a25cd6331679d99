internal import AppProcess
public import Foundation
internal import SluiceKit

/// Provides the app configurations of this app.
open class IntuneMAMAppConfigManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMAppConfigManager()
  private let sdk = SDK.shared

  private override init() { super.init() }

  open class func instance() -> IntuneMAMAppConfigManager { shared }

  /// Returns the configuration for an account; empty if `accountId` is nil or the account is not enrolled.
  open func appConfig(forAccountId accountId: String?) -> any IntuneMAMAppConfig {
    appConfig(forAccountIds: accountId.map { [$0] } ?? [])
  }

  /// Returns the combined configuration for several accounts.
  open func appConfig(forAccountIds accountIds: [String]) -> any IntuneMAMAppConfig {
    AccountConfiguration(
      sdk.process.read { $0.appConfigManager.appConfig(forAccountIds: accountIds) })
  }
}
