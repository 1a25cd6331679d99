internal import Encodings
package import JSON
public import Model

/// An access token before it is signed: a JSON Web Token (RFC 7519) with the claims of Microsoft Entra's tokens.
///
/// Source: Microsoft Learn, "Access token claims reference".
public struct AccessToken: Sendable {
  public var account: Account
  /// The audience: an application id or a URI.
  public var resource: String
  /// The bundle id of the app that gets the token.
  public var client: String
  /// The client's capabilities, in the spelling of the app.
  public var capabilities: [String]
  /// The time of issue by the device's clock, in seconds since 1970-01-01T00:00:00Z.
  public var issuedAt: Int

  /// Creates a token.
  public init(
    account: Account, resource: String, client: String, capabilities: [String], issuedAt: Int
  ) {
    self.account = account
    self.resource = resource
    self.client = client
    self.capabilities = capabilities
    self.issuedAt = issuedAt
  }

  /// The lifetime of a token, in seconds.
  public static let lifetime = 3600

  /// The issuer, which no validator of the real service's tokens accepts.
  public static let issuer = "https://login.sluice.invalid/"

  /// The token, signed as the header says: ES256, by the key of that id (RFC 7518, section 3.4).
  ///
  /// - Parameter sign: Signs bytes; the signature has 64 bytes.
  public func signed(keyID: String, _ sign: ([UInt8]) -> [UInt8]) -> String {
    var header = JSONWriter()
    header.object { writer in
      writer.member("typ", "JWT")
      writer.member("alg", "ES256")
      writer.member("kid", keyID)
    }
    let input = "\(Base64.textForURL(header.text.utf8)).\(Base64.textForURL(claims.utf8))"
    return "\(input).\(Base64.textForURL(sign(Array(input.utf8))))"
  }

  private var claims: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("iss", Self.issuer + (account.tenantID ?? "consumers"))
      writer.member("aud", resource)
      writer.member("sub", account.objectID ?? account.upn)
      writer.member("oid", account.objectID)
      writer.member("tid", account.tenantID)
      writer.member("upn", account.upn)
      writer.member("appid", client)
      writer.member("iat", issuedAt)
      writer.member("nbf", issuedAt)
      writer.member("exp", issuedAt + Self.lifetime)
      guard !capabilities.isEmpty else { return }
      writer.array("xms_cc") { for capability in capabilities { $0.string(capability) } }
    }
    return writer.text
  }
}

/// The public key of the token service as a set of JSON Web Keys (RFC 7517).
public struct TokenKeySet: Sendable {
  public var keyID: String
  /// The public key, an uncompressed point of P-256: the byte 4, then 32 bytes each of x and y.
  public var publicKey: [UInt8]

  /// Creates the set of one key.
  public init(keyID: String, publicKey: [UInt8]) {
    precondition(publicKey.count == 65, "a point of P-256 has 65 bytes")
    self.keyID = keyID
    self.publicKey = publicKey
  }

  public var json: String {
    var writer = JSONWriter()
    writer.object { write(to: &$0) }
    return writer.text
  }

  /// Writes the member `keys`.
  package func write(to writer: inout JSONWriter) {
    writer.array("keys") { writer in
      writer.object { writer in
        writer.member("kty", "EC")
        writer.member("crv", "P-256")
        writer.member("use", "sig")
        writer.member("alg", "ES256")
        writer.member("kid", keyID)
        writer.member("x", Base64.textForURL(publicKey[1...32]))
        writer.member("y", Base64.textForURL(publicKey[33...64]))
      }
    }
  }
}
