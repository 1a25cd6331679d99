internal import AppProcess
public import Foundation
internal import SluiceKit

/// The configurations of this app that administrators have made.
open class IntuneMAMAppConfigManager: NSObject, @unchecked Sendable {
  private static let shared = IntuneMAMAppConfigManager()
  private let sdk = SDK.shared

  private override init() { super.init() }

  open class func instance() -> IntuneMAMAppConfigManager { shared }

  /// The configuration for an account; empty before the account is enrolled, and where it is nil.
  open func appConfig(forAccountId accountId: String?) -> any IntuneMAMAppConfig {
    appConfig(forAccountIds: accountId.map { [$0] } ?? [])
  }

  /// The configuration for several accounts together.
  open func appConfig(forAccountIds accountIds: [String]) -> any IntuneMAMAppConfig {
    AccountConfiguration(
      sdk.process.read { $0.appConfigManager.appConfig(forAccountIds: accountIds) })
  }
}
