public import Foundation

/// The condition under which a notification is shown. It has no effect, because notifications are
/// shown immediately.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
  public let repeats: Bool

  init(_ repeats: Bool) {
    self.repeats = repeats
    super.init()
  }
}
