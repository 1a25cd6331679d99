public import Model
public import Wire

/// Items with several representations, which an extension loads as needed.
extension Application {
  /// Offers items to an extension, named by its bundle id.
  ///
  /// Promised content must stay available until `completion` is called: the extension may ask for it until then.
  public func share(
    _ items: [ExtensionItem], with destination: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    exchange.share(items, with: destination, via: path, completion: completion)
  }
}
