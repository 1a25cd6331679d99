internal import AppProcess
internal import Foundation
internal import FoundationExtensions
internal import SluiceKit
internal import Wire

/// Delivers an app's events to its scene delegates or, without scenes, to the app delegate.
struct AppEvents: MainEvents {
  func open(_ url: IncomingURL) {
    url.handle {
      let isTaken = url.isLink ? follow(url.activity) : hand(url)
      guard !isTaken else { return }
      AppProcess.current.log(
        "the app does not implement `\(method(for: url))`: `\(url.url)` is ignored")
    }
  }

  private func method(for url: IncomingURL) -> String {
    switch (UIApplication.shared.hasSceneLifeCycle, url.isLink) {
    case (true, true): "scene(_:continue:)"
    case (true, false): "scene(_:openURLContexts:)"
    case (false, true): "application(_:continue:restorationHandler:)"
    case (false, false): "application(_:open:options:)"
    }
  }

  private func hand(_ url: IncomingURL) -> Bool {
    let app = UIApplication.shared
    return Requirement.isImplemented {
      if let (scene, delegate) = scene(app) {
        delegate.scene(scene, openURLContexts: [UIOpenURLContext(url.url, from: url.sender)])
      } else if let delegate = app.delegate {
        _ = delegate.application(
          app, open: url.url, options: [.sourceApplication: url.sender, .openInPlace: false])
      } else {
        Requirement.isMissing()
      }
    }
  }

  private func follow(_ activity: NSUserActivity) -> Bool {
    let app = UIApplication.shared
    return Requirement.isImplemented {
      if let (scene, delegate) = scene(app) {
        delegate.scene(scene, willContinueUserActivityWithType: activity.activityType)
        delegate.scene(scene, continue: activity)
      } else if let delegate = app.delegate {
        _ = delegate.application(app, willContinueUserActivityWithType: activity.activityType)
        _ = delegate.application(app, continue: activity) { restoring in
          for object in restoring ?? [] { object.restoreUserActivityState(activity) }
        }
      } else {
        Requirement.isMissing()
      }
    }
  }

  private func scene(_ app: UIApplication) -> (UIScene, any UISceneDelegate)? {
    app.connectedScenes.first.flatMap { scene in scene.delegate.map { (scene, $0) } }
  }

  func begin(_ request: DeviceRequest) {
    NSExtensionContext(request).cancelRequest(withError: ExtensionError.noExtension)
  }

  func enter(_ phase: ScenePhase) {
    switch phase {
    case .background: AppActivation.enterBackground(.shared)
    case .foreground: AppActivation.enterForeground(.shared)
    }
  }

  /// Notifies the app before it is terminated. If the app is in the background, does nothing,
  /// because iOS then terminates it without a notification.
  func willTerminate() {
    let app = UIApplication.shared
    guard app.applicationState != .background else { return }
    for scene in app.connectedScenes { scene.delegate?.sceneDidDisconnect(scene) }
    app.delegate?.applicationWillTerminate(app)
    NotificationCenter.default.post(name: UIApplication.willTerminateNotification, object: app)
  }
}
