public import Foundation
internal import Synchronization

open class UNNotificationContent: NSObject, @unchecked Sendable {
  let fields: Mutex<Fields>

  struct Fields: Sendable {
    var title = ""
    var subtitle = ""
    var body = ""
    var categoryIdentifier = ""
    var threadIdentifier = ""
    var badge: Int?
    var sound: UNNotificationSound?
    var attachments: [UNNotificationAttachment] = []
    var userInfo = Kept()
  }

  /// Values that are not sent to the device.
  struct Kept: @unchecked Sendable {
    var value: [AnyHashable: Any] = [:]
  }

  init(_ fields: Fields) {
    self.fields = Mutex(fields)
    super.init()
  }

  open var title: String { fields.withLock(\.title) }
  open var subtitle: String { fields.withLock(\.subtitle) }
  open var body: String { fields.withLock(\.body) }
  open var categoryIdentifier: String { fields.withLock(\.categoryIdentifier) }
  open var threadIdentifier: String { fields.withLock(\.threadIdentifier) }
  open var badge: NSNumber? { fields.withLock(\.badge).map { NSNumber(value: $0) } }
  open var sound: UNNotificationSound? { fields.withLock(\.sound) }
  open var attachments: [UNNotificationAttachment] { fields.withLock(\.attachments) }
  open var userInfo: [AnyHashable: Any] { fields.withLock(\.userInfo).value }

  /// The title, subtitle and body as one text, which is sent to the device. Empty parts are left
  /// out.
  var text: String {
    fields.withLock { [$0.title, $0.subtitle, $0.body] }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }
}
