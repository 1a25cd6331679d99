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

/// Generic passwords in the device's keychain (`SecItemAdd`, `SecItemCopyMatching`, `SecItemDelete`).
///
/// Outcomes carry the system's status: 0, `errSecDuplicateItem` (-25299), `errSecItemNotFound` (-25300),
/// `errSecDataTooLarge` (-25302), `errSecDiskFull` (-34) or `errSecMissingEntitlement` (-34018).
public final class Keychain {
  private let host: any HostPort

  init(_ host: any HostPort) { self.host = host }

  /// Adds a password to the key's access group, or to the app's default group where it names none.
  public func add(
    _ value: [UInt8], for key: KeychainKey,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.keychainAdd(key, value: value), completion)
  }

  /// Looks a password up; the outcome holds it as the payload of its only item.
  public func copyMatching(
    _ key: KeychainKey, completion: @escaping (RequestOutcome) -> Void
  ) {
    host.request(.keychainQuery(key), completion)
  }

  /// Removes a password.
  public func delete(
    _ key: KeychainKey, completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    host.request(.keychainDelete(key), completion)
  }
}
