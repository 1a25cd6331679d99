internal import AppProcess
public import Foundation
internal import SluiceKit

/// The running app. There is only one.
@preconcurrency @MainActor open class UIApplication: UIResponder {
  public internal(set) static var shared = UIApplication()

  /// The app delegate. As on iOS, a delegate that the app sets is not retained. The launch code retains the delegate
  /// that it creates.
  open weak var delegate: (any UIApplicationDelegate)?
  open internal(set) var applicationState = State.inactive
  open private(set) var windows: [UIWindow] = []
  /// The app's only scene. In an app without a scene life cycle, it is a window scene without a delegate.
  open internal(set) var connectedScenes: Set<UIScene> = []
  /// Whether the scene's delegate, not the app delegate, receives life cycle events, URLs and links.
  var hasSceneLifeCycle = false
  open var openSessions: Set<UISceneSession> { Set(connectedScenes.map(\.session)) }
  open var keyWindow: UIWindow? { windows.first { $0.isKeyWindow } }
  /// This property has no effect.
  open var isIdleTimerDisabled = false
  /// This property has no effect.
  open var applicationIconBadgeNumber = 0
  /// Whether protected data is available. Always true, because the simulated device is never locked
  /// while apps run.
  open var isProtectedDataAvailable: Bool { true }
  open var supportsMultipleScenes: Bool { false }
  private var backgroundTasks = 0

  nonisolated public override init() { super.init() }

  open override var next: UIResponder? { delegate as? UIResponder }

  public enum State: Int, Sendable {
    case active
    case inactive
    case background
  }

  // MARK: URLs

  /// The URL of the app's page in Settings.
  nonisolated public static let openSettingsURLString = "app-settings:"

  /// Opens a URL, if the policies permit it, in the app that has registered its scheme or has claimed it as a universal
  /// link.
  open func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    MainThread.check("UIApplication.open")
    let text = url.absoluteString
    let handler = Carried(completion)
    let universalLinksOnly = options[.universalLinksOnly] as? Bool ?? false
    AppProcess.current.tell { app in
      app.open(url: text, universalLinksOnly: universalLinksOnly) { outcome in
        let isOpened = outcome.end == .delivered
        Callback.onMain("UIApplication.open's handler") { handler.take()??(isOpened) }
      }
    }
  }

  /// Opens a URL.
  ///
  /// - Returns: Whether the URL was opened.
  @discardableResult
  open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
    await withCheckedContinuation { done in
      open(url, options: options) { done.resume(returning: $0) }
    }
  }

  /// Returns whether the URL can be opened. The device checks two conditions: an app has registered the scheme, and the
  /// policies permit the request. On iOS, the system checks the first condition, and the Intune App SDK the second.
  open func canOpenURL(_ url: URL) -> Bool {
    MainThread.check("UIApplication.canOpenURL")
    let text = url.absoluteString
    return AppProcess.current.ask { app, answer in
      app.canOpen(url: text) { answer($0.isDelivered) }
    }
  }

  // MARK: Functions without effect

  /// Returns the number of a new background task, counted from 1. The task has no effect: the app gets no time in the
  /// background.
  open func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    AppProcess.current.logOnce(
      "`beginBackgroundTask` gives no time: an app does nothing once it is off the screen")
    backgroundTasks += 1
    return UIBackgroundTaskIdentifier(rawValue: backgroundTasks)
  }

  open func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { beginBackgroundTask(expirationHandler: handler) }

  /// This method has no effect.
  open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

  /// This method has no effect.
  open func registerForRemoteNotifications() {
    AppProcess.current.logOnce(
      "`registerForRemoteNotifications` does nothing: the device gets no remote notifications")
  }

  // MARK: Windows

  /// Adds a window that becomes visible. If the app has no scene life cycle, the window becomes part of the app's only
  /// scene, as on iOS.
  func add(_ window: UIWindow) {
    if !windows.contains(window) { windows.append(window) }
    guard window.windowScene == nil, !hasSceneLifeCycle else { return }
    window.windowScene = connectedScenes.first as? UIWindowScene
  }
  func remove(_ window: UIWindow) { windows.removeAll { $0 === window } }
}
