internal import Foundation

/// The claims of an account's ID token. The device issues only access tokens, so MSAL derives an ID token from
/// one.
///
/// Source: Microsoft Learn, "ID token claims reference". Claims that the device does not know, such as `name`,
/// are omitted.
struct IDTokenClaims: Sendable, Equatable, Codable {
  /// The app's client ID.
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
  /// `<OID>.<tenant>`, computed as by the device in conditional access errors.
  var homeAccountId: String { "\(objectId).\(tenantId)" }

  /// The object ID; the user name for an account without one.
  var objectId: String { oid ?? preferredUsername ?? sub }

  /// The tenant ID; the domain of the user name for an account without one.
  var tenantId: String {
    tid ?? preferredUsername?.split(separator: "@").last.map(String.init) ?? ""
  }

  /// The claims as returned to apps.
  var dictionary: [String: Any] {
    (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
  }

  /// An unsecured JSON Web Token (RFC 7519, section 6): it has no signature and fails verification.
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
