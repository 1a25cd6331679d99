public import Transfer
internal import Wire

/// One request to an extension (`NSExtensionContext`): the item to work on, to be ended once.
public final class ExtensionContext {
  public let inputItem: ReceivedItem
  package let application: Application
  private var isEnded = false

  init(_ item: ReceivedItem, _ application: Application) {
    inputItem = item
    self.application = application
  }

  /// Ends the request; `returningItems` go back to the app that called, if its policy lets them in.
  public func completeRequest(returningItems items: [Item] = []) {
    end(.completeExtension(items))
  }

  /// Ends the request without a result.
  public func cancelRequest(withError why: String) {
    end(.cancelExtension(why: why))
  }

  private func end(_ body: GuestMessage.Body) {
    guard !isEnded else { return }
    isEnded = true
    application.request(body) { _ in }
  }
}
