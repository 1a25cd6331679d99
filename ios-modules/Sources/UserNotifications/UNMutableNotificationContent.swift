internal import AppProcess
public import Foundation

open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
  public init() { super.init(Fields()) }

  open override var title: String {
    get { super.title }
    set { fields.withLock { $0.title = newValue } }
  }
  open override var subtitle: String {
    get { super.subtitle }
    set { fields.withLock { $0.subtitle = newValue } }
  }
  open override var body: String {
    get { super.body }
    set { fields.withLock { $0.body = newValue } }
  }
  open override var categoryIdentifier: String {
    get { super.categoryIdentifier }
    set { fields.withLock { $0.categoryIdentifier = newValue } }
  }
  open override var threadIdentifier: String {
    get { super.threadIdentifier }
    set { fields.withLock { $0.threadIdentifier = newValue } }
  }
  /// This property has no effect.
  open override var badge: NSNumber? {
    get { super.badge }
    set {
      let number = newValue?.intValue
      fields.withLock { $0.badge = number }
    }
  }
  /// This property has no effect.
  open override var sound: UNNotificationSound? {
    get { super.sound }
    set { fields.withLock { $0.sound = newValue } }
  }
  /// This property has no effect.
  open override var attachments: [UNNotificationAttachment] {
    get { super.attachments }
    set {
      if !newValue.isEmpty {
        AppProcess.current.logOnce("attachments of notifications are not shown")
      }
      fields.withLock { $0.attachments = newValue }
    }
  }
  /// Additional data. The content keeps it, but it never leaves the process.
  open override var userInfo: [AnyHashable: Any] {
    get { super.userInfo }
    set {
      let kept = Kept(value: newValue)
      fields.withLock { $0.userInfo = kept }
    }
  }
}
