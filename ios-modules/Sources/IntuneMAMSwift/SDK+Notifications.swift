internal import AppProcess
internal import Foundation
internal import SluiceKit

/// Posts the SDK's notifications.
extension SDK {
  func didPost(_ notification: SluiceKit.IntuneMAMNotification, forAccountId accountId: String?) {
    Callback.onMain("an observer of \(notification.rawValue)") {
      let post = { (name: NSNotification.Name, object: Any?, info: [AnyHashable: Any]?) in
        NotificationCenter.default.post(name: name, object: object, userInfo: info)
      }
      let account = { (key: String) in accountId.map { [key: $0] as [AnyHashable: Any] } }
      switch notification {
      case .policyDidChange:
        post(
          .IntuneMAMPolicyDidChange, IntuneMAMPolicyManager.instance(),
          account(IntuneMAMPolicyDidChangeNotificationAccountId))
      case .wipeDidComplete:
        post(
          .IntuneMAMWipeDidComplete, IntuneMAMPolicyManager.instance(),
          account(IntuneMAMSDKLifecycleEventAccountId))
      case .allowedAccountsDidChange:
        post(
          .IntuneMAMAllowedAccountsDidChange,
          IntuneMAMEnrollmentManager.instance().allowedAccounts(), nil)
      case .dataProtectionDidChange:
        post(
          .IntuneMAMDataProtectionDidChange, IntuneMAMDataProtectionManager.instance(),
          account(IntuneMAMDataProtectionDidChangeNotificationAccountId))
      case .appConfigDidChange:
        post(
          .IntuneMAMAppConfigDidChange, IntuneMAMAppConfigManager.instance(),
          account(IntuneMAMAppConfigDidChangeNotificationAccountId))
      }
    }
  }
}
