public import Foundation

/// The delay after which a notification is shown. It has no effect, because notifications are shown
/// immediately.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// The delay in seconds.
  public let timeInterval: TimeInterval

  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    super.init(repeats)
  }
}
