internal import AppProcess
internal import Foundation

/// Launches an app, in the order of iOS.
@MainActor enum AppLaunch {
  private static var delegate: NSObject?
  private static let events = DeviceEvents(AppEvents())

  /// Launches the app, and runs the main run loop.
  static func run(application: NSObject.Type?, delegate type: NSObject.Type?) -> Never {
    AppProcess.current.setReceiver(events)
    if let made = application.map({ ClassInstance.object($0) }) as? UIApplication {
      UIApplication.shared = made
    }
    let app = UIApplication.shared
    let object = type.map { ClassInstance.make($0) }
    delegate = object
    app.delegate = object as? any UIApplicationDelegate
    let content = events.awaitLaunchContent()
    finishLaunching(app, toOpen: content.first)
    for url in content.dropFirst() { events.open(url) }
    AppProcess.current.didFinishLaunching()
    AppProcess.current.runMainLoop()
  }

  /// Finishes the launch.
  ///
  /// - Parameter url: The URL, file or link that the app was launched to open; nil for none.
  private static func finishLaunching(_ app: UIApplication, toOpen url: IncomingURL?) {
    let info = InfoDictionary.main
    if !info.hasScenes {
      SceneConnection.connectWithoutLifeCycle(app)
      if let name = info.mainStoryboard { app.delegate?.window = UIWindow(storyboard: name) }
    }
    let isWanted = tellDelegate(app, options: info.hasScenes ? nil : url?.launchOptions)
    NotificationCenter.default.post(
      name: UIApplication.didFinishLaunchingNotification, object: app)
    if !info.hasScenes, info.mainStoryboard != nil {
      app.delegate?.window?.makeKeyAndVisible()
    }
    SceneConnection.connect(app, info, toOpen: url)
    if let url, !app.hasSceneLifeCycle {
      if isWanted { AppEvents().open(url) } else { url.done() }
    }
    AppActivation.activate(app)
  }

  /// Calls the app delegate's launch methods.
  ///
  /// - Returns: Whether the app delegate should also receive the launch URL in its method for
  ///   opening URLs.
  private static func tellDelegate(
    _ app: UIApplication, options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    guard let delegate = app.delegate else { return true }
    var isWanted = delegate.application(app, willFinishLaunchingWithOptions: options)
    let isImplemented = Requirement.isImplemented {
      isWanted = delegate.application(app, didFinishLaunchingWithOptions: options) && isWanted
    }
    if !isImplemented { delegate.applicationDidFinishLaunching(app) }
    return isWanted
  }
}

extension IncomingURL {
  /// The launch options that an app without scenes receives.
  @MainActor fileprivate var launchOptions: [UIApplication.LaunchOptionsKey: Any] {
    guard isLink else { return [.url: url, .sourceApplication: sender] }
    let activity = activity
    return [
      .userActivityDictionary: [
        "UIApplicationLaunchOptionsUserActivityTypeKey": activity.activityType,
        "UIApplicationLaunchOptionsUserActivityKey": activity,
      ]
    ]
  }
}
