public import Model
public import Wire

/// The device's pasteboard, which all apps share (`UIPasteboard.general`).
public final class Pasteboard {
  private let host: any HostPort

  init(_ host: any HostPort) { self.host = host }

  /// Puts an item on the pasteboard, owned by the account that the app acts for.
  ///
  /// - Parameter scope: whether it can be pasted on the other devices of the user's Apple Account, too.
  public func copy(
    _ item: Item, scope: CopyScope = .everywhere,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.copy(item, scope), completion)
  }

  /// Asks for the content of the pasteboard; the outcome holds it, if both sides' policies agree.
  public func paste(completion: @escaping (RequestOutcome) -> Void) {
    host.request(.paste, completion)
  }
}
