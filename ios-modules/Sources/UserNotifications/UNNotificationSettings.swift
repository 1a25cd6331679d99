public import Foundation

/// The user's settings for notifications: everything is allowed once the app has asked.
open class UNNotificationSettings: NSObject, @unchecked Sendable {
  public let authorizationStatus: UNAuthorizationStatus

  init(_ authorizationStatus: UNAuthorizationStatus) {
    self.authorizationStatus = authorizationStatus
    super.init()
  }
}
