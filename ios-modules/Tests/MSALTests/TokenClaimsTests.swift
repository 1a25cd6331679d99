import Foundation
import Testing

@testable import MSAL

@Suite struct TokenClaimsTests {
  @Test func `the claims of an access token are read`() throws {
    let claims = try #require(AccessTokenClaims(token: Sample.token))
    #expect(claims == Sample.claims)
  }

  @Test(arguments: [
    "", "a.b", "a.b.c.d", "e30.e30.sig", "e30.!!!.sig", "e30.bm90IGpzb24.sig", "...",
  ])
  func `an invalid access token has no claims`(text: String) {
    #expect(AccessTokenClaims(token: text) == nil)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 61, 62, 63, 64, 255])
  func `base64url text has no padding and decodes to the same bytes`(count: Int) {
    let data = Data((0..<count).map { UInt8($0 * 7 % 256) })
    let text = Base64URL.text(data)
    #expect(!text.contains { "+/=".contains($0) })
    #expect(Base64URL.data(text) == data)
  }

  @Test func `an ID token is unsigned and issued to the client`() throws {
    let claims = IDTokenClaims(Sample.claims, clientId: "client")
    let parts = claims.token.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3)
    #expect(parts[2].isEmpty)
    let payload = try #require(Base64URL.data(parts[1]))
    #expect(try JSONDecoder().decode(IDTokenClaims.self, from: payload) == claims)
    #expect(claims.dictionary["aud"] as? String == "client")
    #expect(claims.dictionary["oid"] as? String == Sample.objectId)
    #expect(claims.dictionary["preferred_username"] as? String == "anna@contoso.com")
    #expect(claims.dictionary["exp"] as? Int == 4600)
    #expect(claims.dictionary["name"] == nil)
  }

  @Test func `the home account id combines object id and tenant id`() {
    let claims = IDTokenClaims(Sample.claims, clientId: "client")
    #expect(claims.homeAccountId == "\(Sample.objectId).contoso.com")
  }

  @Test func `without object and tenant ids, the home account id is made of the user name`() {
    let token = AccessTokenClaims(
      iss: "", sub: "bob@live.com", oid: nil, tid: nil, upn: "bob@live.com", iat: 0, exp: 1)
    let claims = IDTokenClaims(token, clientId: "client")
    #expect(claims.homeAccountId == "bob@live.com.live.com")
  }
}
