import Foundation
import IntuneMAMSwift

/// What administrators configure: the signature below each mail.
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

  /// Of several signatures the last in the alphabet, so that every device takes the same.
  static func signature(for accountId: String) -> String {
    let configuration = IntuneMAMAppConfigManager.instance().appConfig(forAccountId: accountId)
    if configuration.hasConflict("signature") {
      print("administrators disagree about the signature")
    }
    return configuration.stringValue(forKey: "signature", queryType: .max) ?? "none"
  }
}
