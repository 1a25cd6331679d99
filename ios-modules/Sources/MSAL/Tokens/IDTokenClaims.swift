internal import Foundation

/// The claims of an account's ID token. The device issues only access tokens, so MSAL derives an ID
/// token from an access token.
///
/// Source: Microsoft Learn, "ID token claims reference". Claims that the device does not know, such as `name`,
/// are omitted.
struct IDTokenClaims: Sendable, Equatable, Codable {
  /// The client id of the app.
  var aud: String
  var iss: String
  var sub: String
  var oid: String?
  var tid: String?
  var preferredUsername: String?
  /// The time of issue, in seconds since 1970-01-01T00:00:00Z.
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
  /// The account's identifier in the form `<OID>.<tenant>`. The device computes it in the same way
  /// in conditional access errors.
  var homeAccountId: String { "\(objectId).\(tenantId)" }

  /// The object id. For an account without one, it is the user name, or else the subject.
  var objectId: String { oid ?? preferredUsername ?? sub }

  /// The tenant id. For an account without one, it is the domain of the user name; empty if there is none.
  var tenantId: String {
    tid ?? preferredUsername?.split(separator: "@").last.map(String.init) ?? ""
  }

  /// The claims in the form that apps receive.
  var dictionary: [String: Any] {
    (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
  }

  /// The claims as an unsecured JSON Web Token (RFC 7519, section 6). It has no signature and fails
  /// verification.
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
