/// The reason why the device refuses a token.
struct TokenRefusal: Error, Sendable, Equatable {
  var code: Int
  /// The account's identifier in the form `<OID>.<tenant>`; nil unless app protection is required
  /// first.
  var homeAccountId: String?
}
