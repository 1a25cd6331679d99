internal import Model
internal import Wire

/// A generic password as the keychain keeps it.
struct KeychainItem: Sendable {
  /// With the group that the item is in.
  var key: KeychainKey
  /// For whom the app acted that added it; nil where for nobody.
  var owner: Account?
  var value: [UInt8]

  /// What may be told of an item without telling its value.
  struct Summary: Sendable {
    var key: KeychainKey
    var owner: Account?
    /// Size of the value.
    var byteCount: Int
  }
}
