public import Model
public import Wire

/// The device's pasteboard, shared by all apps (`UIPasteboard.general`).
public final class Pasteboard {
  private let host: any HostPort

  init(_ host: any HostPort) { self.host = host }

  /// Copies an item to the pasteboard. A received item keeps its owner; otherwise, the owner is the account that the
  /// app acts for.
  ///
  /// - Parameter scope: Whether the item is also available on other devices of the user's Apple
  ///   Account.
  public func copy(
    _ item: Item, scope: CopyScope = .everywhere,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.copy(item, scope), completion)
  }

  /// Requests the pasteboard's content. The outcome contains the content if the policies of both
  /// apps permit it.
  public func paste(completion: @escaping (RequestOutcome) -> Void) {
    host.request(.paste, completion)
  }
}

/// Generic passwords in the device's keychain (`SecItemAdd`, `SecItemCopyMatching`, `SecItemDelete`).
///
/// An outcome contains the system's status: 0, `errSecDuplicateItem` (-25299), `errSecItemNotFound`
/// (-25300), `errSecDataTooLarge` (-25302), `errSecDiskFull` (-34) or `errSecMissingEntitlement`
/// (-34018).
public final class Keychain {
  private let host: any HostPort

  init(_ host: any HostPort) { self.host = host }

  /// Adds a password to the key's access group, or to the app's default group if the key has none.
  public func add(
    _ value: [UInt8], for key: KeychainKey,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.keychainAdd(key, value: value), completion)
  }

  /// Looks up a password. The outcome contains it as the payload of its only item.
  public func copyMatching(
    _ key: KeychainKey, completion: @escaping (RequestOutcome) -> Void
  ) {
    host.request(.keychainQuery(key), completion)
  }

  public func delete(
    _ key: KeychainKey, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.keychainDelete(key), completion)
  }
}
