public import Foundation

/// A notification that has been shown.
open class UNNotification: NSObject, @unchecked Sendable {
  public let request: UNNotificationRequest
  public let date: Date

  init(_ request: UNNotificationRequest) {
    self.request = request
    date = Date()
    super.init()
  }
}
