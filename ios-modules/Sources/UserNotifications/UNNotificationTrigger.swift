public import Foundation

/// The condition for showing a notification. It has no effect, because notifications are shown at
/// once.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
  public let repeats: Bool

  init(_ repeats: Bool) {
    self.repeats = repeats
    super.init()
  }
}
