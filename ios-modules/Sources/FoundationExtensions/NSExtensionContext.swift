internal import AppProcess
public import Foundation
internal import SluiceKit

/// The context of a request to an extension. The extension must complete or cancel the request exactly once.
open class NSExtensionContext: NSObject, @unchecked Sendable {
  /// The request's input, an array of `NSExtensionItem` objects.
  public let inputItems: [Any]
  /// The device's request; nil for a context created by the app.
  private let request: DeviceRequest?

  /// Creates a context without items. Completing or cancelling its request has no effect.
  public override init() {
    request = nil
    inputItems = []
    super.init()
  }

  /// Creates the context for a request from the device.
  package init(_ request: DeviceRequest) {
    self.request = request
    inputItems = request.items.map { NSExtensionItem($0) }
    super.init()
  }

  /// Completes the request.
  ///
  /// - Parameters:
  ///   - items: `NSExtensionItem` objects. The calling app receives the most faithful
  ///     representation of each attachment, if its policy accepts it.
  ///   - completionHandler: Called on a background thread with false, because the process is not
  ///     about to expire.
  open func completeRequest(
    returningItems items: [Any]?, completionHandler: (@Sendable (Bool) -> Void)? = nil
  ) {
    let attachments = (items ?? []).compactMap { $0 as? NSExtensionItem }
      .flatMap { $0.attachments ?? [] }
    gather(attachments[...], into: []) { [request] items in
      AppProcess.current.tell { _ in request?.context.completeRequest(returningItems: items) }
      guard let completionHandler else { return }
      Callback.inBackground("completeRequest's handler") { completionHandler(false) }
    }
  }

  private func gather(
    _ attachments: ArraySlice<NSItemProvider>, into found: [Item],
    _ done: @escaping @Sendable ([Item]) -> Void
  ) {
    guard let next = attachments.first else { return done(found) }
    next.fetchItem { [self] item in
      gather(attachments.dropFirst(), into: found + (item.map { [$0] } ?? []), done)
    }
  }

  /// Cancels the request, which then has no result.
  open func cancelRequest(withError error: any Error) {
    let why = (error as NSError).localizedDescription
    AppProcess.current.tell { [request] _ in request?.context.cancelRequest(withError: why) }
  }

  /// Opens no URL: iOS permits this only to Today and iMessage extensions. The trace reports the call.
  ///
  /// Source: Apple, `NSExtensionContext.open(_:completionHandler:)`.
  ///
  /// - Parameter completionHandler: Called on a background thread with false.
  open func open(_ URL: URL, completionHandler: ((Bool) -> Void)? = nil) {
    AppProcess.current.log(
      "`NSExtensionContext.open` does not open `\(URL.absoluteString)`: "
        + "iOS permits it only to Today and iMessage extensions")
    guard let handler = completionHandler.map(UncheckedBox.init) else { return }
    Callback.inBackground("NSExtensionContext.open's handler") { handler.value(false) }
  }

  /// Opens no URL, like the method with a completion handler. Returns false.
  @discardableResult
  open func open(_ URL: URL) async -> Bool {
    await withCheckedContinuation { continuation in
      open(URL) { continuation.resume(returning: $0) }
    }
  }
}

extension NSExtensionItem {
  fileprivate convenience init(_ item: DeviceRequest.SharedItem) {
    self.init()
    attributedTitle = item.title.map { NSAttributedString(string: $0) }
    attributedContentText = item.contentText.map { NSAttributedString(string: $0) }
    attachments = item.attachments.map { NSItemProvider($0) }
  }
}
