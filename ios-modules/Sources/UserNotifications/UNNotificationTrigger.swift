public import Foundation

/// When a notification is shown. All are shown at once.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
  public let repeats: Bool

  init(_ repeats: Bool) {
    self.repeats = repeats
    super.init()
  }
}
