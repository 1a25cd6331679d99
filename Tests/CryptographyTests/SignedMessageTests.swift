import Cryptography
import Foundation
import Testing

/// Tests the verification of signatures.
struct SignedMessageTests {
  static func bytes(_ text: String) -> [UInt8] {
    Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init) ?? []
  }

  /// The output of `openssl cms -sign -nodetach -binary -noattr`, with a key that was discarded.
  /// The signature covers the content itself.
  static let plain = bytes(
    """
    MIIEJAYJKoZIhvcNAQcCoIIEFTCCBBECAQExDTALBglghkgBZQMEAgEwggGHBgkqhkiG9w0BBwGgggF4BIIBdDw/eG1s
    IHZlcnNpb249IjEuMCIgZW5jb2Rpbmc9IlVURi04Ij8+CjxwbGlzdCB2ZXJzaW9uPSIxLjAiPjxkaWN0Pgo8a2V5PlBh
    eWxvYWRUeXBlPC9rZXk+PHN0cmluZz5Db25maWd1cmF0aW9uPC9zdHJpbmc+CjxrZXk+UGF5bG9hZElkZW50aWZpZXI8
    L2tleT48c3RyaW5nPmNvbS5jb250b3NvLnNpZ25lZDwvc3RyaW5nPgo8a2V5PlBheWxvYWRDb250ZW50PC9rZXk+PGFy
    cmF5PjxkaWN0Pgo8a2V5PlBheWxvYWRUeXBlPC9rZXk+PHN0cmluZz5jb20uYXBwbGUuYXBwbGljYXRpb25hY2Nlc3M8
    L3N0cmluZz4KPGtleT5hbGxvd09wZW5Gcm9tTWFuYWdlZFRvVW5tYW5hZ2VkPC9rZXk+PGZhbHNlLz4KPC9kaWN0Pjwv
    YXJyYXk+PC9kaWN0PjwvcGxpc3Q+CqCCAbowggG2MIIBXaADAgECAhR+AL2ouZKOy57xsBAPqDdUmz09WjAKBggqhkjO
    PQQDAjAwMRQwEgYDVQQKDAtDb250b3NvIEx0ZDEYMBYGA1UEAwwPQ29udG9zbyBTaWduaW5nMCAXDTI2MTEyMjA5Mjkz
    M1oYDzIxMjYxMDI5MDkyOTMzWjAwMRQwEgYDVQQKDAtDb250b3NvIEx0ZDEYMBYGA1UEAwwPQ29udG9zbyBTaWduaW5n
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEh1hDrrsPg3g8Z+oLOrOTMbHUCQvWScfDH2KHta1jKFczIzBLr+TuYJ+t
    dNz0JhFAbfdVyqS4pTZKkiTiTrf1paNTMFEwHQYDVR0OBBYEFKiwEAX0RX1pE0SGitRPxeprBi1cMB8GA1UdIwQYMBaA
    FKiwEAX0RX1pE0SGitRPxeprBi1cMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgVfmauV0SRpLx81LW
    buM4jFw1QSXBY/YiquSpT5HTyH0CIAXvh8M5BoSERRx35k1cq7FehnXoWPfJv2YZwiueCOsvMYGzMIGwAgEBMEgwMDEU
    MBIGA1UECgwLQ29udG9zbyBMdGQxGDAWBgNVBAMMD0NvbnRvc28gU2lnbmluZwIUfgC9qLmSjsue8bAQD6g3VJs9PVow
    CwYJYIZIAWUDBAIBMAoGCCqGSM49BAMCBEgwRgIhALZdPr/t1F4TzgZ68TXbP6xnCJT/ZXSAhmi3+znBQzqFAiEAv7h9
    7Nog8sQAy+cccA5LXMCicLQU27JznA/OqGgfHrE=
    """)

  /// The output of `openssl cms -sign -nodetach -binary -md sha1` for `hello`, with two signers:
  /// RSA and P-256.
  static let two = bytes(
    """
    MIII9gYJKoZIhvcNAQcCoIII5zCCCOMCAQExCTAHBgUrDgMCGjAUBgkqhkiG9w0BBwGgBwQFaGVsbG+gggTvMIIBtjCC
    AV2gAwIBAgIUfgC9qLmSjsue8bAQD6g3VJs9PVowCgYIKoZIzj0EAwIwMDEUMBIGA1UECgwLQ29udG9zbyBMdGQxGDAW
    BgNVBAMMD0NvbnRvc28gU2lnbmluZzAgFw0yNjExMjIwOTI5MzNaGA8yMTI2MTAyOTA5MjkzM1owMDEUMBIGA1UECgwL
    Q29udG9zbyBMdGQxGDAWBgNVBAMMD0NvbnRvc28gU2lnbmluZzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIdYQ667
    D4N4PGfqCzqzkzGx1AkL1knHwx9ih7WtYyhXMyMwS6/k7mCfrXTc9CYRQG33VcqkuKU2SpIk4k639aWjUzBRMB0GA1Ud
    DgQWBBSosBAF9EV9aRNEhorUT8XqawYtXDAfBgNVHSMEGDAWgBSosBAF9EV9aRNEhorUT8XqawYtXDAPBgNVHRMBAf8E
    BTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIFX5mrldEkaS8fNS1m7jOIxcNUElwWP2IqrkqU+R08h9AiAF74fDOQaEhEUc
    d+ZNXKuxXoZ16Fj3yb9mGcIrngjrLzCCAzEwggIZoAMCAQICFFcjbZ8TW7w0yTgELIZgRlqo8BrIMA0GCSqGSIb3DQEB
    CwUAMCcxEzARBgNVBAMMClJTQSBTaWduZXIxEDAOBgNVBAoMB03DvGxsZXIwIBcNMjYxMTIyMTAxNTUyWhgPMjEyNjEw
    MjkxMDE1NTJaMCcxEzARBgNVBAMMClJTQSBTaWduZXIxEDAOBgNVBAoMB03DvGxsZXIwggEiMA0GCSqGSIb3DQEBAQUA
    A4IBDwAwggEKAoIBAQCQ5kx+YzIF0TWJlN8RUurIdPDYRBijiQMfPXpup9ipFLRnIFwB4qr0s1o+lLlwSWGRhSLttX8N
    TL1g6088h9VsUtAz+jcYRWbwOsGI0pP49Kz815vTFfT7y+SpkpeX0YsfOSFFcs6oSjnaGsIRpTZagVHatGa6MKI9c5a0
    j1YE1zV2657OTYQj9lyiTvZiES0RpF3nR+gL2zChbonCwUnZkrWExWmvbL9z0uisKyY9fcCjhrtEbzLAAIjJGIRGA0kh
    rk5rcTezrLuEY3VxgPH4rTt8gdSDpKs8V8em0rpwpqslx4tfoBoGZCAWamyszewC4FKtCsr50MBumVEGCsTJAgMBAAGj
    UzBRMB0GA1UdDgQWBBTFqESApyDB8llgPqhC7lAGO1ZSLDAfBgNVHSMEGDAWgBTFqESApyDB8llgPqhC7lAGO1ZSLDAP
    BgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQB0yGrNP+Z6DdAwUIt3gI4EOy1u6+zyk4oaunHSla4Ed9aO
    8G0XEnimmvxsNVOpAbBDNrb5ri0WOVVRIRuar2vqZj8SK70D/ScogtRmfvGLXdh6YLiPCvXAbxyoYKQCy6J2aASE+7kb
    H+Z2pwkBwXIY0Zjq2MWWOvZ9pFHBCwWcwJkHnSfJ1pB5LyYjFXQvmGuXMvZPQHEW4ujicb4yyuxkA06fSJ9gRw7QH43w
    SU3y9+ilgBEOHaV9kLJsNtMCR4x+UIi5VsI0RN0xWGEZ0PycoMTL3+QZbuxBB7RVBRx371zn1zoZkr0avvcEhy1Ay2Ab
    Imj7KEKJ2w28k96IVj5DMYIDyDCCAYUCAQEwSDAwMRQwEgYDVQQKDAtDb250b3NvIEx0ZDEYMBYGA1UEAwwPQ29udG9z
    byBTaWduaW5nAhR+AL2ouZKOy57xsBAPqDdUmz09WjAHBgUrDgMCGqCB2DAYBgkqhkiG9w0BCQMxCwYJKoZIhvcNAQcB
    MBwGCSqGSIb3DQEJBTEPFw0yNjExMjIxMDE1NTJaMCMGCSqGSIb3DQEJBDEWBBSq9MYd3MXootq+3g87SCzZrqlDTTB5
    BgkqhkiG9w0BCQ8xbDBqMAsGCWCGSAFlAwQBKjALBglghkgBZQMEARYwCwYJYIZIAWUDBAECMAoGCCqGSIb3DQMHMA4G
    CCqGSIb3DQMCAgIAgDANBggqhkiG9w0DAgIBQDAHBgUrDgMCBzANBggqhkiG9w0DAgIBKDAJBgcqhkjOPQQBBEcwRQIh
    AMskdYh4KhJJ9W1uqOjuKoLwnCJ/sICH+qFiJDYyGXlcAiAWN2Ak80RG1aoiPQq2iu7A65eyRJypukodR0otrJ/PjjCC
    AjsCAQEwPzAnMRMwEQYDVQQDDApSU0EgU2lnbmVyMRAwDgYDVQQKDAdNw7xsbGVyAhRXI22fE1u8NMk4BCyGYEZaqPAa
    yDAHBgUrDgMCGqCB2DAYBgkqhkiG9w0BCQMxCwYJKoZIhvcNAQcBMBwGCSqGSIb3DQEJBTEPFw0yNjExMjIxMDE1NTJa
    MCMGCSqGSIb3DQEJBDEWBBSq9MYd3MXootq+3g87SCzZrqlDTTB5BgkqhkiG9w0BCQ8xbDBqMAsGCWCGSAFlAwQBKjAL
    BglghkgBZQMEARYwCwYJYIZIAWUDBAECMAoGCCqGSIb3DQMHMA4GCCqGSIb3DQMCAgIAgDANBggqhkiG9w0DAgIBQDAH
    BgUrDgMCBzANBggqhkiG9w0DAgIBKDANBgkqhkiG9w0BAQEFAASCAQAWLaWw6bzN808OVcJn4yNozMHp+Qo3KA2rmpPW
    X89BLmyN+aRXqLJFc8g7gm8NbcTEf59d8TDCZj4C8Ia7VdxIQ345ajUTTGKkBvmOIo8KyJSDkXTtszLmCs+XSU96N9Na
    axSMYjB4hNZF/fi+Vhj+K3tFAOIJ8cAegQDyb2/qzL1u7QfzUmivTJhgIl9YRzhpXO3ThtniNoYO4Xfryln6pBQU/vgw
    n1YCk1geWaVqfHs2G7sWdG2gZwltdPvRJuGeFPhcqBfFC163SPU0PVkSbYdb5oFsDEFFIFcuXs7gitMjyVpOepvPVck6
    UT2viqDlKTZp8wMC5Cphfuja6DGA
    """)

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

  @Test func `a truncated message is never valid`() {
    for count in 0..<Self.plain.count {
      #expect(SignedMessage(Array(Self.plain.prefix(count)))?.verdict != .intact)
    }
  }

  @Test func `all signers are listed`() {
    let message = SignedMessage(Self.two)
    #expect(message?.verdict == .intact)
    #expect(message?.content == Array("hello".utf8))
    #expect(
      message?.signers.sorted() == ["CN=Contoso Signing,O=Contoso Ltd", "O=Müller,CN=RSA Signer"])
  }

  @Test func `changed content invalidates all signatures`() throws {
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
  func `a message with more signatures or digest algorithms is read but not verified`(
    digests: Int, signatures: Int
  ) {
    let message = SignedMessage(Self.plain(digests: digests, signatures: signatures))
    #expect(
      message?.verdict == .unknown("it has more than 16 signatures or digest algorithms"))
    #expect(message?.signers == [])
    #expect(message?.content?.count == 372)
  }
}
