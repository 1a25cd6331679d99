import Encodings
import Enrollment
import JSON
import Model
import Testing

@Suite struct AccessTokenTests {
  @Test func `Base64 is that for URLs, without padding`() {
    // RFC 4648, section 10, and two bytes that need the other alphabet.
    let vectors = [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
      ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ]
    for (plain, text) in vectors { #expect(Base64.textForURL(plain.utf8) == text) }
    #expect(Base64.textForURL([0xFB, 0xFF]) == "-_8")
  }

  @Test func `a token has three parts and its claims`() throws {
    let token = AccessToken(
      account: Account(upn: "anna@contoso.com", objectID: "abc", tenantID: "contoso.com"),
      resource: "https://graph.microsoft.com", client: "com.contoso.mail",
      capabilities: ["ProtApp"], issuedAt: 1_767_225_600)
    var input: [UInt8] = []
    let text = token.signed(keyID: "iPhone") { bytes in
      input = bytes
      return [1, 2, 3]
    }
    #expect(text == String(decoding: input, as: UTF8.self) + ".AQID")
    let parts = text.split(separator: ".")
    #expect(parts.count == 3)
    let claims = try JSONReader.read(String(decoding: Self.bytes(parts[1]), as: UTF8.self))
    #expect(claims["oid"]?.string == "abc" && claims["tid"]?.string == "contoso.com")
    #expect(claims["aud"]?.string == "https://graph.microsoft.com")
    #expect(claims["appid"]?.string == "com.contoso.mail")
    #expect(claims["exp"]?.int == 1_767_225_600 + 3600)
    #expect(claims["xms_cc"]?.array?.compactMap(\.string) == ["ProtApp"])
    let header = try JSONReader.read(String(decoding: Self.bytes(parts[0]), as: UTF8.self))
    #expect(header["alg"]?.string == "ES256" && header["kid"]?.string == "iPhone")
  }

  /// By hand, bit by bit.
  private static func bytes(_ text: Substring) -> [UInt8] {
    let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let bits = text.flatMap { character -> [UInt8] in
      let value = alphabet.firstIndex(of: character) ?? 0
      return (0..<6).map { UInt8(value >> (5 - $0) & 1) }
    }
    return (0..<bits.count / 8).map { byte in
      bits[byte * 8..<byte * 8 + 8].reduce(0) { $0 << 1 | $1 }
    }
  }
}
