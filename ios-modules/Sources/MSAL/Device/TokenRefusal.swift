/// The reason why the device refuses a token.
struct TokenRefusal: Error, Sendable, Equatable {
  var code: Int
  /// The account's identifier in the form `<OID>.<tenant>`, if the device refuses the token because
  /// app protection is required; nil for all other reasons.
  var homeAccountId: String?
}
