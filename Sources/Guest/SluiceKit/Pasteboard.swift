public import Model
public import Wire

/// The device's pasteboard, which all apps share (`UIPasteboard.general`).
public final class Pasteboard {
  private let host: any HostPort

  init(_ host: any HostPort) { self.host = host }

  /// Puts an item on the pasteboard, owned by the account that the app acts for.
  public func copy(_ item: Item, completion: @escaping (RequestOutcome) -> Void = { _ in }) {
    host.request(.copy(item), completion)
  }

  /// Asks for the content of the pasteboard; the outcome holds it, if both sides' policies agree.
  public func paste(completion: @escaping (RequestOutcome) -> Void) {
    host.request(.paste, completion)
  }
}
