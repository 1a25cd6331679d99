public import Transfer
public import Wire

/// The device's pasteboard, which all apps share (`UIPasteboard.general`).
public final class Pasteboard {
  private unowned let application: Application

  init(_ application: Application) { self.application = application }

  /// Puts an item on the pasteboard, owned by the account that the app acts for.
  public func copy(_ item: Item, completion: @escaping (RequestOutcome) -> Void = { _ in }) {
    application.request(.copy(item), completion)
  }

  /// Asks for what is on the pasteboard; the outcome holds it, if both sides' policies agree.
  public func paste(completion: @escaping (RequestOutcome) -> Void) {
    application.request(.paste, completion)
  }
}
