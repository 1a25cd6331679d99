internal import AppProcess
internal import Foundation

/// Connects the app's single scene.
@MainActor enum SceneConnection {
  /// Connects the scene of an app without a scene life cycle. As on iOS, such an app also has one
  /// window scene.
  static func connectWithoutLifeCycle(_ app: UIApplication) {
    let session = UISceneSession(
      UISceneConfiguration(name: nil, sessionRole: .windowApplication), identifier)
    let scene = UIWindowScene(
      session: session, connectionOptions: UIScene.ConnectionOptions(nil))
    connect(app, scene)
  }

  private static func connect(_ app: UIApplication, _ scene: UIWindowScene) {
    scene.session.scene = scene
    scene.activationState = .foregroundInactive
    app.connectedScenes = [scene]
  }

  /// Connects the scene of an app that has a scene life cycle: its property list has a scene
  /// manifest, or its delegate returns a configuration. For other apps, does nothing.
  ///
  /// - Parameter url: The launch URL, which the scene receives in its connection options; nil for
  ///   none.
  static func connect(_ app: UIApplication, _ info: InfoDictionary, toOpen url: IncomingURL?) {
    let stated = UISceneConfiguration(
      name: info.sceneConfigurationName, sessionRole: .windowApplication)
    stated.delegateClass = info.sceneDelegateClass.flatMap { ClassInstance.type(named: $0) }
    let options = UIScene.ConnectionOptions(url)
    var configuration = stated
    let isMade = Requirement.isImplemented {
      let session = UISceneSession(stated, identifier)
      configuration =
        app.delegate?.application(app, configurationForConnecting: session, options: options)
        ?? stated
    }
    guard info.hasScenes || (isMade && app.delegate != nil) else { return }
    let type = (configuration.delegateClass ?? stated.delegateClass) as? NSObject.Type
    guard let url else { return connect(app, configuration, type, options) }
    url.handle {
      let isTold = Requirement.isImplemented { connect(app, configuration, type, options) }
      guard !options.isRead, type != nil else { return }
      let property = "connectionOptions.\(url.isLink ? "userActivities" : "urlContexts")"
      let method = "`scene(_:willConnectTo:options:)`"
      AppProcess.current.log(
        "the app was launched to open `\(url.url)`, and "
          + (isTold ? "\(method) does not read `\(property)`" : "does not implement \(method)")
          + ": the URL is ignored")
    }
  }

  private static let identifier = "scene-1"

  private static func connect(
    _ app: UIApplication, _ configuration: UISceneConfiguration, _ type: NSObject.Type?,
    _ options: UIScene.ConnectionOptions
  ) {
    let session = UISceneSession(configuration, identifier)
    let scene = UIWindowScene(session: session, connectionOptions: options)
    scene.delegate = type.map { ClassInstance.make($0) } as? any UISceneDelegate
    if scene.delegate == nil {
      let name = InfoDictionary.main.sceneDelegateClass
      AppProcess.current.log(
        "the app's scene has no delegate: "
          + (name.map { "there is no class `\($0)`" } ?? "nothing names its class"))
    }
    app.hasSceneLifeCycle = true
    connect(app, scene)
    let delegate = scene.delegate as? any UIWindowSceneDelegate
    let window = InfoDictionary.main.sceneStoryboard.map { UIWindow(storyboard: $0) }
    if let window {
      window.windowScene = scene
      delegate?.window = window
    }
    scene.delegate?.scene(scene, willConnectTo: session, options: options)
    if window != nil { delegate?.window?.makeKeyAndVisible() }
  }
}
