internal import AppProcess
internal import Foundation

/// The launch of an app, in the order of iOS.
@MainActor enum AppLaunch {
  private static var delegate: NSObject?
  private static let events = DeviceEvents(AppEvents())

  /// Launches the app, and serves its main thread.
  static func run(application: NSObject.Type?, delegate type: NSObject.Type?) -> Never {
    AppProcess.current.setReceiver(events)
    if let made = application.map({ ClassInstance.object($0) }) as? UIApplication {
      UIApplication.shared = made
    }
    let app = UIApplication.shared
    let object = type.map { ClassInstance.make($0) }
    delegate = object
    app.delegate = object as? any UIApplicationDelegate
    finishLaunching(app)
    AppProcess.current.didFinishLaunching()
    AppProcess.current.runMainLoop()
  }

  private static func finishLaunching(_ app: UIApplication) {
    let delegate = app.delegate
    _ = delegate?.application(app, willFinishLaunchingWithOptions: nil)
    let isImplemented = Requirement.isImplemented {
      _ = delegate?.application(app, didFinishLaunchingWithOptions: nil)
    }
    if !isImplemented { delegate?.applicationDidFinishLaunching(app) }
    NotificationCenter.default.post(
      name: UIApplication.didFinishLaunchingNotification, object: app)
    SceneConnection.connect(app, InfoDictionary.main)
    AppActivation.activate(app)
  }
}
