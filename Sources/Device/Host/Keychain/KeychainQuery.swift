/// A search of the keychain. A property that is nil matches everything.
struct KeychainQuery: Sendable {
  var service: String?
  var account: String?
  /// Largest number of items, 1 or more; nil: all.
  var limit: Int?
}
