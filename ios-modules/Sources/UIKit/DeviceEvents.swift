internal import AppProcess
internal import Foundation
internal import FoundationExtensions
internal import SluiceKit
internal import Wire

/// Receives the device's messages on the connection's thread, and handles them on the main thread.
final class DeviceEvents: SystemReceiver {
  private let handler: any MainEvents
  private let launchContent = LaunchContent()

  init(_ handler: any MainEvents) {
    self.handler = handler
    if !AppProcess.current.opensContent { closeLaunch() }
  }

  /// Waits until the launch content is complete, and returns it. Empty if the app was not launched
  /// to open anything. Must be called on the main thread.
  @MainActor func awaitLaunchContent() -> [IncomingURL] {
    guard AppProcess.current.opensContent else { return [] }
    AppProcess.current.takeLaunchContent()
    return AppProcess.current.ask { [launchContent] _, answer in launchContent.take(answer) }
  }

  private func closeLaunch() {
    launchContent.complete()
    launchContent.take { _ in }
  }

  func receive(_ item: ReceivedItem, done: @escaping @Sendable () -> Void) {
    launchContent.fileBegins()
    AppProcess.current.tell { [self] app in
      let name = TypeMatching.fileName(item.item.name, type: item.item.type)
      let owner = item.item.tag?.ownerUPN
      ContainerFile.write(item.item, named: name, in: "Documents/Inbox", of: owner, app) {
        [self] path in
        defer { launchContent.fileEnds() }
        guard let path else { return done() }
        let url = ContainerFile.url(path)
        AppProcess.current.receivedFiles.add(item, at: url)
        handOver(IncomingURL(url: url, sender: item.sender, accountId: nil, done: done))
      }
    }
  }

  func open(
    _ url: String, from sender: String, accountId: String?, done: @escaping @Sendable () -> Void
  ) {
    guard let parsed = URL(string: url) else {
      AppProcess.current.log("`\(url)` is not a valid URL, so the app does not receive it")
      return done()
    }
    handOver(IncomingURL(url: parsed, sender: sender, accountId: accountId, done: done))
  }

  func open(_ document: OpenedDocument, from sender: String) {
    let url = ContainerFile.url(document.path)
    handOver(IncomingURL(url: url, sender: sender, accountId: nil, done: {}))
  }

  private func handOver(_ url: IncomingURL) {
    guard !launchContent.add(url) else { return }
    open(url)
  }

  /// Opens a URL in the app on the main thread.
  func open(_ url: IncomingURL) {
    Callback.onMain("application(_:open:options:)") { [handler] in handler.open(url) }
  }

  func item(forRequester requester: String, answer: @escaping @Sendable (Item?) -> Void) {
    AppProcess.current.logOnce(
      "this app has no file provider, so `\(requester)` cannot import from it")
    answer(nil)
  }

  func beginRequest(with context: SluiceKit.ExtensionContext) {
    let request = DeviceRequest(context)
    Callback.onMain("beginRequest(with:)") { [handler] in handler.begin(request) }
  }

  func user(_ act: UserAct, done: @escaping @Sendable (String?) -> Void) {
    if act == .launch {
      launchContent.complete()
      return done(nil)
    }
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
  /// The name of the app's method that handles the action. Reports of slow calls contain it.
  fileprivate var callback: String {
    switch self {
    case .tap: "UIAlertAction's handler"
    case .choose: "UIActivityViewController"
    case .pick: "documentPicker(_:didPickDocumentsAt:)"
    case .cancel: "documentPickerWasCancelled(_:)"
    case .launch: "application(_:didFinishLaunchingWithOptions:)"
    case .scene(.background): "applicationDidEnterBackground(_:)"
    case .scene(.foreground): "applicationWillEnterForeground(_:)"
    }
  }
}
