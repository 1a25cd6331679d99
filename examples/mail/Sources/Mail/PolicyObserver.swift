import Foundation
import IntuneMAMSwift

/// Updates the permissions shown in the mailbox when its account's policy changes.
final class PolicyObserver {
  private var observer: (any NSObjectProtocol)?

  func observe() {
    observer = NotificationCenter.default.addObserver(
      forName: .IntuneMAMPolicyDidChange, object: nil, queue: .main
    ) { notification in
      let key = IntuneMAMPolicyDidChangeNotificationAccountId
      guard let accountId = notification.userInfo?[key] as? String else { return }
      let policy = IntuneMAMPolicyManager.instance().policy(forAccountId: accountId)
      let isAllowed = policy?.isSaveToAllowed(for: .localDrive, withAccountId: nil) ?? true
      print("attachments may be saved on the phone: \(isAllowed)")
    }
  }
}
