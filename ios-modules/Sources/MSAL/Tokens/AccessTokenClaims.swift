internal import Foundation

/// The claims that MSAL reads from an access token, which is a JSON Web Token (RFC 7519). MSAL does
/// not verify the signature; only the resource does.
struct AccessTokenClaims: Sendable, Equatable, Decodable {
  var iss: String
  var sub: String
  var oid: String?
  var tid: String?
  var upn: String?
  /// The time of issue, in seconds since 1970-01-01T00:00:00Z.
  var iat: Int
  /// The time of expiry, in seconds since 1970-01-01T00:00:00Z.
  var exp: Int

  init(iss: String, sub: String, oid: String?, tid: String?, upn: String?, iat: Int, exp: Int) {
    self.iss = iss
    self.sub = sub
    self.oid = oid
    self.tid = tid
    self.upn = upn
    self.iat = iat
    self.exp = exp
  }

  /// Reads the claims from a token. Returns nil if `token` is not a JSON Web Token or lacks
  /// required claims.
  init?(token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64URL.data(parts[1]),
      let claims = try? JSONDecoder().decode(Self.self, from: payload)
    else { return nil }
    self = claims
  }
}
