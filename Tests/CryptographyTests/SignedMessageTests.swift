import Cryptography
import TestSupport
import Testing

/// Tests the verification of signatures.
struct SignedMessageTests {
  /// The output of `openssl cms -sign -nodetach -binary -noattr`, with a key that was discarded.
  /// The signature covers the content itself.
  static let plain = Repository.sample("message-plain.p7m")

  /// The output of `openssl cms -sign -nodetach -binary -md sha1` for `hello`, with two signers:
  /// RSA and P-256.
  static let two = Repository.sample("message-two.p7m")

  @Test func `a signature over the content is valid`() {
    let message = SignedMessage(Self.plain)
    #expect(message?.verdict == .intact)
    #expect(message?.content?.starts(with: "<?xml".utf8) == true)
    #expect(message?.content?.count == 372)
    #expect(message?.signers == ["CN=Contoso Signing,O=Contoso Ltd"])
  }

  @Test func `a changed byte of the content invalidates the signature`() throws {
    let content = Array("allowOpenFromManagedToUnmanaged".utf8)
    let place = try #require(Self.plain.firstRange(of: content))
    for index in place {
      var changed = Self.plain
      changed[index] ^= 1
      #expect(SignedMessage(changed)?.verdict == .broken)
    }
  }

  @Test func `data that is not a signed message is rejected`() {
    let others = [
      [], [0x30], [0x30, 0x80], Array("plain text".utf8), Array(Self.plain.dropFirst()),
    ]
    for bytes in others { #expect(SignedMessage(bytes) == nil) }
  }

  @Test func `a truncated signed message is never valid`() {
    for count in 0..<Self.plain.count {
      #expect(SignedMessage(Array(Self.plain.prefix(count)))?.verdict != .intact)
    }
  }

  @Test func `all signers of a signed message are listed`() {
    let message = SignedMessage(Self.two)
    #expect(message?.verdict == .intact)
    #expect(message?.content == Array("hello".utf8))
    #expect(
      message?.signers.sorted() == ["CN=Contoso Signing,O=Contoso Ltd", "O=Müller,CN=RSA Signer"])
  }

  @Test func `changed content invalidates all signatures of a message`() throws {
    let place = try #require(Self.two.firstRange(of: Array("hello".utf8)))
    var changed = Self.two
    changed.replaceSubrange(place, with: Array("Hello".utf8))
    #expect(SignedMessage(changed)?.verdict == .broken)
  }

  @Test func `a changed byte at the end of a signed message invalidates it`() {
    // The last bytes are the signature of the last signer.
    for index in Self.two.indices.suffix(60) {
      var changed = Self.two
      changed[index] ^= 0x10
      #expect(SignedMessage(changed)?.verdict != .intact)
    }
  }

  // MARK: Hostile numbers

  /// Returns ``plain`` with its digest algorithm and its signature repeated.
  private static func plain(digests: Int, signatures: Int) -> [UInt8] {
    let (type, version, algorithm) = (plain[4..<15], plain[23..<26], plain[28..<41])
    let signature = plain.suffix(179)
    let between = plain[41..<plain.count - 182]
    let data = element(
      0x30,
      version + element(0x31, repeatElement(algorithm, count: digests).joined()) + between
        + element(0x31, repeatElement(signature, count: signatures).joined()))
    return element(0x30, type + element(0xA0, data))
  }

  /// Returns an element in DER.
  private static func element(_ tag: UInt8, _ content: some Sequence<UInt8>) -> [UInt8] {
    let content = Array(content)
    let length = withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) }
    return [tag, 0x84] + length + content
  }

  @Test(arguments: [(1, 1), (16, 1), (1, 16), (16, 16)])
  func `up to 16 signatures and digest algorithms are verified`(digests: Int, signatures: Int) {
    let message = SignedMessage(Self.plain(digests: digests, signatures: signatures))
    #expect(message?.verdict == .intact)
    #expect(message?.signers.count == signatures)
  }

  /// libcrypto would run out of stack with 60,000 algorithms, and take half a minute with 20,000.
  @Test(arguments: [(17, 1), (1, 17), (60_000, 1), (1, 20_000)])
  func `a message with more than 16 signatures or digest algorithms is read but not verified`(
    digests: Int, signatures: Int
  ) {
    let message = SignedMessage(Self.plain(digests: digests, signatures: signatures))
    #expect(
      message?.verdict
        == .unknown("the CMS message has more than 16 signatures or digest algorithms"))
    #expect(message?.signers == [])
    #expect(message?.content?.count == 372)
  }
}
