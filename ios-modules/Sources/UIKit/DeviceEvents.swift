internal import AppProcess
internal import Foundation
internal import FoundationExtensions
internal import SluiceKit

/// Takes what the device says on the connection's thread, and has the main thread handle it.
final class DeviceEvents: SystemReceiver {
  private let handler: any MainEvents

  init(_ handler: any MainEvents) { self.handler = handler }

  func receive(_ item: ReceivedItem, done: @escaping @Sendable () -> Void) {
    AppProcess.current.tell { [handler] app in
      let name = TypeMatching.fileName(item.item.name, type: item.item.type)
      let owner = item.item.tag?.ownerUPN
      ContainerFile.write(item.item, named: name, in: "Documents/Inbox", of: owner, app) { path in
        guard let path else { return done() }
        AppProcess.current.receivedFiles.add(item, at: ContainerFile.url(path))
        Callback.onMain("application(_:open:options:)") {
          handler.open(ContainerFile.url(path), from: item.sender)
          done()
        }
      }
    }
  }

  func open(
    _ url: String, from sender: String, accountId: String?, done: @escaping @Sendable () -> Void
  ) {
    guard let parsed = URL(string: url) else {
      AppProcess.current.log("`\(url)` is no URL, and the app is not told of it")
      return done()
    }
    Callback.onMain("application(_:open:options:)") { [handler] in
      AppProcess.current.withActivity(of: accountId) { handler.open(parsed, from: sender) }
      done()
    }
  }

  func open(_ document: OpenedDocument, from sender: String) {
    Callback.onMain("application(_:open:options:)") { [handler] in
      handler.open(ContainerFile.url(document.path), from: sender)
    }
  }

  func item(forRequester requester: String, answer: @escaping @Sendable (Item?) -> Void) {
    AppProcess.current.logOnce(
      "`\(requester)` imports from this app, which has no file provider: it gets nothing")
    answer(nil)
  }

  func beginRequest(with context: SluiceKit.ExtensionContext) {
    let request = DeviceRequest(context)
    Callback.onMain("beginRequest(with:)") { [handler] in handler.begin(request) }
  }

  func user(_ act: UserAct, done: @escaping @Sendable (String?) -> Void) {
    Callback.onMain(act.callback) { [handler] in
      if case .scene(let phase) = act {
        handler.enter(phase)
        done(nil)
      } else {
        PresentedPrompts.shared.take(act, done)
      }
    }
  }

  func willTerminate(done: @escaping @Sendable () -> Void) {
    Callback.onMain("applicationWillTerminate") { [handler] in
      handler.willTerminate()
      done()
    }
  }
}

extension UserAct {
  /// The app's code that it calls, for who watches how long that takes.
  fileprivate var callback: String {
    switch self {
    case .tap: "UIAlertAction's handler"
    case .choose: "UIActivityViewController"
    case .pick: "documentPicker(_:didPickDocumentsAt:)"
    case .cancel: "documentPickerWasCancelled(_:)"
    case .scene(.background): "applicationDidEnterBackground(_:)"
    case .scene(.foreground): "applicationWillEnterForeground(_:)"
    }
  }
}
