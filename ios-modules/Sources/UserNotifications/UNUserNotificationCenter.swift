internal import AppProcess
public import Foundation
internal import SluiceKit
internal import Synchronization

/// The centre that shows this app's notifications. It sends each notification to the device, where
/// the policies determine whether it is shown.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  private static let center = UNUserNotificationCenter()
  private let state = Mutex(State())

  private struct State: @unchecked Sendable {
    var status = UNAuthorizationStatus.notDetermined
    weak var delegate: (any UNUserNotificationCenterDelegate)?
    var categories: Set<UNNotificationCategory> = []
  }

  public class func current() -> UNUserNotificationCenter { center }

  open weak var delegate: (any UNUserNotificationCenterDelegate)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  // MARK: Authorization

  /// Requests authorization, which is always granted. The handler is called on a background thread.
  open func requestAuthorization(
    options: UNAuthorizationOptions = [],
    completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    state.withLock { $0.status = .authorized }
    Callback.inBackground("requestAuthorization's handler") { completionHandler(true, nil) }
  }

  /// Requests authorization, which is always granted.
  open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    state.withLock { $0.status = .authorized }
    return true
  }

  open func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
  ) {
    let status = state.withLock { $0.status }
    Callback.inBackground("getNotificationSettings's handler") {
      completionHandler(UNNotificationSettings(status))
    }
  }

  open func notificationSettings() async -> UNNotificationSettings {
    UNNotificationSettings(state.withLock { $0.status })
  }

  // MARK: Notifications

  /// Shows a notification immediately. Its trigger is ignored.
  ///
  /// - Parameter completionHandler: Called on a background thread. As on iOS, it receives no error
  ///   if the policies hide a part or all of the content.
  open func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let text = request.content.text
    AppProcess.current.tell { app in
      app.hand(Item(text: text), to: .notification) { [self] outcome in
        if outcome.end == .delivered { willPresent(request) }
        guard let completionHandler else { return }
        Callback.inBackground("UNUserNotificationCenter.add's handler") { completionHandler(nil) }
      }
    }
  }

  /// Shows a notification immediately. Its trigger is ignored.
  open func add(_ request: UNNotificationRequest) async throws {
    await withCheckedContinuation { done in
      add(request) { _ in done.resume() }
    }
  }

  func willPresent(_ request: UNNotificationRequest) {
    let method = "userNotificationCenter(_:willPresent:withCompletionHandler:)"
    Callback.onMain(method) { [self] in
      let notification = UNNotification(request)
      delegate?.userNotificationCenter(self, willPresent: notification) { _ in }
      // An app implements one of the two methods; the other one is the default.
      Task { @MainActor in
        _ = await delegate?.userNotificationCenter(self, willPresent: notification)
      }
    }
  }

  // MARK: Functions without effect

  /// Stores the categories. The buttons that they define are never shown.
  open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    state.withLock { $0.categories = categories }
  }

  open func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    let categories = state.withLock(\.categories)
    Callback.inBackground("getNotificationCategories's handler") { completionHandler(categories) }
  }

  open func notificationCategories() async -> Set<UNNotificationCategory> {
    state.withLock(\.categories)
  }

  /// Does nothing, because icons have no badges.
  open func setBadgeCount(
    _ newBadgeCount: Int,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    guard let completionHandler else { return }
    Callback.inBackground("setBadgeCount's handler") { completionHandler(nil) }
  }

  /// Does nothing, because icons have no badges.
  open func setBadgeCount(_ newBadgeCount: Int) async throws {}

  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {}
  open func removeAllPendingNotificationRequests() {}
  open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}
  open func removeAllDeliveredNotifications() {}
}
