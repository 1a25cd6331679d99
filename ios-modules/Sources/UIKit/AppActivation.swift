internal import Foundation

/// Moves the app between foreground and background, with the calls in the order of iOS. The app's
/// scene receives the calls. If the app has no scene life cycle, the app delegate also receives
/// them.
@MainActor enum AppActivation {
  static func enterBackground(_ app: UIApplication) {
    guard app.applicationState == .active else { return }
    let scenes = app.connectedScenes
    for scene in scenes { scene.deactivate() }
    if !app.hasSceneLifeCycle { app.delegate?.applicationWillResignActive(app) }
    post(UIApplication.willResignActiveNotification, app)
    app.applicationState = .background
    for scene in scenes { scene.enterBackground() }
    if !app.hasSceneLifeCycle { app.delegate?.applicationDidEnterBackground(app) }
    post(UIApplication.didEnterBackgroundNotification, app)
  }

  static func enterForeground(_ app: UIApplication) {
    guard app.applicationState == .background else { return }
    let scenes = app.connectedScenes
    for scene in scenes { scene.enterForeground() }
    if !app.hasSceneLifeCycle { app.delegate?.applicationWillEnterForeground(app) }
    post(UIApplication.willEnterForegroundNotification, app)
    becomeActive(app)
  }

  /// Makes the app active at the end of its launch.
  static func activate(_ app: UIApplication) {
    for scene in app.connectedScenes { scene.enterForeground() }
    becomeActive(app)
  }

  private static func becomeActive(_ app: UIApplication) {
    app.applicationState = .active
    let scenes = app.connectedScenes
    for scene in scenes { scene.activate() }
    if !app.hasSceneLifeCycle { app.delegate?.applicationDidBecomeActive(app) }
    post(UIApplication.didBecomeActiveNotification, app)
  }

  private static func post(_ name: Notification.Name, _ app: UIApplication) {
    NotificationCenter.default.post(name: name, object: app)
  }
}

extension UIScene {
  fileprivate func deactivate() {
    delegate?.sceneWillResignActive(self)
    NotificationCenter.default.post(name: UIScene.willDeactivateNotification, object: self)
    activationState = .foregroundInactive
  }

  fileprivate func enterBackground() {
    activationState = .background
    delegate?.sceneDidEnterBackground(self)
    NotificationCenter.default.post(name: UIScene.didEnterBackgroundNotification, object: self)
  }

  fileprivate func enterForeground() {
    delegate?.sceneWillEnterForeground(self)
    NotificationCenter.default.post(name: UIScene.willEnterForegroundNotification, object: self)
    activationState = .foregroundInactive
  }

  fileprivate func activate() {
    activationState = .foregroundActive
    delegate?.sceneDidBecomeActive(self)
    NotificationCenter.default.post(name: UIScene.didActivateNotification, object: self)
  }
}
