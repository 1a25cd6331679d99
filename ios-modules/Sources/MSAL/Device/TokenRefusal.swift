/// The reason why the device refuses a token.
struct TokenRefusal: Error, Sendable, Equatable {
  var code: Int
  /// The account's identifier in the form `<OID>.<tenant>`. It is nil unless the reason is that app
  /// protection is required.
  var homeAccountId: String?
}
