/// Why the device gives no token.
struct TokenRefusal: Error, Sendable, Equatable {
  var code: Int
  /// `<OID>.<tenant>`; nil unless the app must be protected first.
  var homeAccountId: String?
}
