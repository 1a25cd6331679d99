internal import Model
internal import Wire

/// A generic password as the keychain keeps it.
struct KeychainItem: Sendable {
  /// The item's key, with the group that the item is in.
  var key: KeychainKey
  /// The account for which the app acted when it added the item; nil: none.
  var owner: Account?
  var value: [UInt8]

  /// An item without its value.
  struct Summary: Sendable {
    var key: KeychainKey
    var owner: Account?
    /// Size of the value in bytes.
    var byteCount: Int
  }
}
