internal import AppProcess
internal import Foundation
internal import FoundationExtensions
internal import SluiceKit
internal import Wire

/// Launches an extension. The principal object is created later, when the request arrives.
@MainActor enum ExtensionLaunch {
  private static var events: DeviceEvents?

  static func run(_ principalClass: NSObject.Type) -> Never {
    let events = DeviceEvents(ExtensionEvents(principalClass))
    self.events = events
    AppProcess.current.setReceiver(events)
    AppProcess.current.becomeExtension()
    PresentedPrompts.shared.isPatient = true
    AppProcess.current.didFinishLaunching()
    AppProcess.current.runMainLoop()
  }
}

@MainActor final class ExtensionEvents: MainEvents {
  private let principalClass: NSObject.Type
  private var principal: NSObject?

  init(_ principalClass: NSObject.Type) { self.principalClass = principalClass }

  func open(_ url: IncomingURL) {
    AppProcess.current.log("`\(url.url)` arrived in an extension, and is ignored")
    url.done()
  }

  func begin(_ request: DeviceRequest) {
    let context = NSExtensionContext(request)
    let object = ClassInstance.make(principalClass)
    principal = object
    guard let handler = object as? any NSExtensionRequestHandling else {
      let name = "\(principalClass)"
      return context.cancelRequest(withError: ExtensionError.noHandler(name))
    }
    let controller = object as? UIViewController
    controller?.extensionContext = context
    handler.beginRequest(with: context)
    controller?.appear()
  }

  /// Does nothing, because an extension is in the foreground as long as it runs.
  func enter(_ phase: ScenePhase) {}

  func willTerminate() {}
}
