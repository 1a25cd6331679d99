internal import Foundation

/// The claims of an account's ID token. The device issues only access tokens, so MSAL derives the claims from an access
/// token. Claims that the device does not know, such as `name`, are omitted.
///
/// Source: Microsoft Learn, "ID token claims reference".
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
  /// The account's identifier in the form `<OID>.<tenant>`. It equals the identifier that the device states in
  /// conditional access errors.
  var homeAccountId: String { "\(objectId).\(tenantId)" }

  /// The object id. If the account has none, this is the user name or, without a user name, the subject.
  var objectId: String { oid ?? preferredUsername ?? sub }

  /// The tenant id. If the account has none, this is the domain of the user name; empty without a user name.
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
    guard let data = try? encoder.encode(self) else {
      fatalError("the claims of an ID token must be encodable as JSON")
    }
    return data
  }
}
