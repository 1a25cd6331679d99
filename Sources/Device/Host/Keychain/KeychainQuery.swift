/// What a search of the keychain asks for. nil matches everything.
struct KeychainQuery: Sendable {
  var service: String?
  var account: String?
  /// How many items at most; 1 or more. nil: all.
  var limit: Int?
}
