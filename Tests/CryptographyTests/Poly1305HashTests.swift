import Cryptography
import Testing

@Suite struct Poly1305HashTests {
  private static let key = bytes("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
  private static let message = Array("Cryptographic Forum Research Group".utf8)

  private static func value(_ pieces: [[UInt8]], _ hash: Poly1305Hash) -> [UInt8] {
    var value: [UInt8] = []
    hash.begin()
    for piece in pieces { piece.withUnsafeBytes { hash.update($0) } }
    hash.end { value = Array($0) }
    return value
  }

  // This key is from RFC 8439, section 2.5.2.
  @Test func `Poly1305 matches the standard's vectors`() {
    let hash = Poly1305Hash(key: Self.key)
    let expected = bytes("a8061dc1305136c6c22b8baf0c0127a9")
    #expect(Self.value([Self.message], hash) == expected)
    #expect(Self.value([Self.message], hash) == expected, "each message starts with a new state")
  }

  @Test func `a message hashed in pieces has the same Poly1305 hash as the whole`() {
    let hash = Poly1305Hash(key: Self.key)
    let whole = Self.value([Self.message], hash)
    for cut in 0...Self.message.count {
      let pieces = [Array(Self.message[..<cut]), Array(Self.message[cut...])]
      #expect(Self.value(pieces, hash) == whole)
    }
  }
}
