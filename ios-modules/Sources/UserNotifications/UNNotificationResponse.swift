public import Foundation

/// The user's response to a notification. Never created: the simulated user does not respond.
open class UNNotificationResponse: NSObject, @unchecked Sendable {
  public let notification: UNNotification
  public let actionIdentifier: String

  init(_ notification: UNNotification, _ actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
    super.init()
  }
}

/// The identifier of the action of tapping the notification.
public let UNNotificationDefaultActionIdentifier =
  "com.apple.UNNotificationDefaultActionIdentifier"
/// The identifier of the action of dismissing the notification.
public let UNNotificationDismissActionIdentifier =
  "com.apple.UNNotificationDismissActionIdentifier"
