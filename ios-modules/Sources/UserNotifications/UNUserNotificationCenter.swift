internal import AppProcess
public import Foundation
internal import SluiceKit
internal import Synchronization

/// The notifications of this app. Each notification goes to the device, and the policies determine
/// whether it is shown.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  private static let center = UNUserNotificationCenter()
  private let state = Mutex(State())

  private struct State: @unchecked Sendable {
    var status = UNAuthorizationStatus.notDetermined
    weak var delegate: (any UNUserNotificationCenterDelegate)?
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

  // MARK: Notifications

  /// Shows a notification immediately, and ignores its trigger.
  ///
  /// - Parameter completionHandler: Called on a background thread. As on iOS, it receives no error
  ///   even if the policies hide some or all of the content.
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

  /// Shows a notification immediately, and ignores its trigger.
  open func add(_ request: UNNotificationRequest) async throws {
    await withCheckedContinuation { done in
      add(request) { _ in done.resume() }
    }
  }

  private func willPresent(_ request: UNNotificationRequest) {
    let method = "userNotificationCenter(_:willPresent:withCompletionHandler:)"
    Callback.onMain(method) { [self] in
      delegate?.userNotificationCenter(self, willPresent: UNNotification(request)) { _ in }
    }
  }

  // MARK: Functions without effect

  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {}
  open func removeAllPendingNotificationRequests() {}
  open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}
  open func removeAllDeliveredNotifications() {}
}
