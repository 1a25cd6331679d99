import Foundation
import IntuneMAMSwift

/// The app's configuration: the signature below each mail.
final class MailConfiguration {
  private var observer: (any NSObjectProtocol)?

  func observe() {
    observer = NotificationCenter.default.addObserver(
      forName: .IntuneMAMAppConfigDidChange, object: nil, queue: .main
    ) { notification in
      let key = IntuneMAMAppConfigDidChangeNotificationAccountId
      guard let accountId = notification.userInfo?[key] as? String else { return }
      print("signature: \(Self.signature(for: accountId))")
    }
  }

  /// Several signatures may be targeted; picking the last in alphabetical order makes every device choose the
  /// same one.
  static func signature(for accountId: String) -> String {
    let configuration = IntuneMAMAppConfigManager.instance().appConfig(forAccountId: accountId)
    if configuration.hasConflict("signature") {
      print("the signature has conflicting values")
    }
    return configuration.stringValue(forKey: "signature", queryType: .max) ?? "none"
  }
}
