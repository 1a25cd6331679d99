/// The reason why the device refuses a token.
struct TokenRefusal: Error, Sendable, Equatable {
  var code: Int
  /// `<OID>.<tenant>`; nil unless app protection is required first.
  var homeAccountId: String?
}
