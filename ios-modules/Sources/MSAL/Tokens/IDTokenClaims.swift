internal import Foundation

/// The claims of an account's ID token. The device issues access tokens only: MSAL's half makes this of one.
///
/// Source: Microsoft Learn, "ID token claims reference". What the device does not know of its accounts, such as `name`,
/// is left out.
struct IDTokenClaims: Sendable, Equatable, Codable {
  /// The client id of the app.
  var aud: String
  var iss: String
  var sub: String
  var oid: String?
  var tid: String?
  var preferredUsername: String?
  /// Seconds since 1970-01-01T00:00:00Z.
  var iat: Int
  var nbf: Int
  var exp: Int
  var ver = "2.0"

  enum CodingKeys: String, CodingKey {
    case aud, iss, sub, oid, tid
    case preferredUsername = "preferred_username"
    case iat, nbf, exp, ver
  }

  init(_ token: AccessTokenClaims, clientId: String) {
    aud = clientId
    iss = token.iss
    sub = token.sub
    oid = token.oid
    tid = token.tid
    preferredUsername = token.upn
    iat = token.iat
    nbf = token.iat
    exp = token.exp
  }
}

extension IDTokenClaims {
  /// `<OID>.<tenant>`, made as the device makes it for the error of conditional access.
  var homeAccountId: String { "\(objectId).\(tenantId)" }

  /// An account without an object id has its user name there.
  var objectId: String { oid ?? preferredUsername ?? sub }

  /// An account without a tenant has the domain of its user name there.
  var tenantId: String {
    tid ?? preferredUsername?.split(separator: "@").last.map(String.init) ?? ""
  }

  /// The claims as apps read them.
  var dictionary: [String: Any] {
    (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
  }

  /// An unsecured JSON Web Token (RFC 7519, section 6): nobody has signed it, and nobody who checks takes it.
  var token: String {
    let header = Data(#"{"alg":"none","typ":"JWT"}"#.utf8)
    return "\(Base64URL.text(header)).\(Base64URL.text(json))."
  }

  private var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { fatalError("claims can always be encoded") }
    return data
  }
}
