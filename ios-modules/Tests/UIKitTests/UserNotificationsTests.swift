internal import Foundation
internal import Testing
@testable internal import UserNotifications

@MainActor @Suite struct UserNotificationsTests {
  final class Delegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
    let done: CheckedContinuation<String, Never>
    init(_ done: CheckedContinuation<String, Never>) { self.done = done }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
      withCompletionHandler completionHandler:
        @escaping (UNNotificationPresentationOptions) -> Void
    ) {
      completionHandler([.banner])
      done.resume(returning: notification.request.identifier)
    }
  }

  final class AsyncDelegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
    let done: CheckedContinuation<String, Never>
    init(_ done: CheckedContinuation<String, Never>) { self.done = done }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
      done.resume(returning: notification.request.identifier)
      return [.banner]
    }
  }

  @Test func `both completion-handler and async methods of a notification delegate are called`()
    async
  {
    let center = UNUserNotificationCenter.current()
    for isAsync in [false, true] {
      var delegate: (any UNUserNotificationCenterDelegate)?
      let identifier = await withCheckedContinuation { done in
        delegate = isAsync ? AsyncDelegate(done) : Delegate(done)
        center.delegate = delegate
        center.willPresent(
          UNNotificationRequest(
            identifier: "a", content: UNNotificationContent(.init()), trigger: nil))
      }
      #expect(identifier == "a")
      #expect(center.delegate === delegate)
    }
  }

  @Test func `notification categories are stored with their actions`() async {
    let reply = UNTextInputNotificationAction(
      identifier: "reply", title: "Reply", textInputButtonTitle: "Send",
      textInputPlaceholder: "Text")
    let category = UNNotificationCategory(
      identifier: "mail", actions: [reply], intentIdentifiers: [], options: [.customDismissAction])
    UNUserNotificationCenter.current().setNotificationCategories([category])
    #expect(await UNUserNotificationCenter.current().notificationCategories() == [category])
    #expect(category.actions == [reply])
  }

  @Test func `notification content keeps its sound, and attachments require a file`() throws {
    let content = UNMutableNotificationContent()
    #expect(content.sound == nil && content.attachments.isEmpty)
    content.sound = .default
    let attachment = try UNNotificationAttachment(
      identifier: "", url: URL(fileURLWithPath: #filePath))
    #expect(content.sound == .default)
    #expect(attachment.url.path == #filePath && !attachment.identifier.isEmpty)
    let error = #expect(throws: UNError.self) {
      try UNNotificationAttachment(identifier: "a", url: URL(fileURLWithPath: "/nonexistent"))
    }
    #expect(error?.code == .attachmentInvalidURL)
  }

  @Test func `setting the app icon's badge count causes no error`() async throws {
    try await UNUserNotificationCenter.current().setBadgeCount(1)
    let error = await withCheckedContinuation { done in
      UNUserNotificationCenter.current().setBadgeCount(2) { done.resume(returning: $0) }
    }
    #expect(error == nil)
  }
}
