import Foundation
import IntuneMAMSwift

@objc protocol AccountWatching {
  func accountDidChange(_ accountId: String)
  @objc optional func accountsWereRestricted()
}

@objcMembers
final class AccountWatcher: NSObject {
  weak var watching: AccountWatching?

  func start() {
    NotificationCenter.default.addObserver(
      self, selector: #selector(policyDidChange(_:)), name: .IntuneMAMPolicyDidChange, object: nil)
    NotificationCenter.default.addObserver(
      self, selector: #selector(accountsDidChange), name: .IntuneMAMAllowedAccountsDidChange,
      object: nil)
  }

  @objc private func policyDidChange(_ notification: Notification) {
    let account = notification.userInfo?[IntuneMAMPolicyDidChangeNotificationAccountId] as? String
    watching?.accountDidChange(account ?? "nobody")
  }

  @objc func accountsDidChange() { watching?.accountsWereRestricted?() }
}
