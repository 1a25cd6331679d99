internal import Model
internal import Secrets
internal import Testing

struct CertificateAuthorityTests {
  private static let now = 1_767_225_600

  private static func authority() throws -> CertificateAuthority {
    try CertificateAuthority(named: "Contoso", validity: now...(now + 1000))
  }

  private static func template() -> CertificateTemplate {
    var template = CertificateTemplate(
      subject: [[.init(type: "O", value: "Contoso")], [.init(type: "CN", value: "Jörg's phone")]],
      validity: now...(now + 100))
    template.extendedUsage = ["1.3.6.1.5.5.7.3.2"]
    template.alternativeNames = [
      .host("phone.contoso.com,DNS:evil.example"), .mail("j@contoso.com"),
      .principal("j@contoso.com"), .uri("urn:phone:1"),
    ]
    template.attestation = .init(device: "phone", model: "iPhone17,1", osVersion: "26.0")
    return template
  }

  @Test(arguments: [PrivateKey.Kind.p256, .p384, .p521, .rsa(2048)])
  func `an issued certificate matches its key and authority`(kind: PrivateKey.Kind) throws {
    let authority = try Self.authority()
    let key = try PrivateKey(kind)
    let issued = try authority.issue(Self.template(), for: key)
    let certificate = try Certificate(der: issued.der)
    #expect(certificate.isSigned(by: authority.certificate))
    #expect(!authority.certificate.isSigned(by: certificate))
    #expect(certificate.subject == "CN=Jörg's phone,O=Contoso")
    #expect(certificate.issuer == "CN=Contoso")
    #expect(certificate.notBefore == Self.now)
    #expect(certificate.notAfter == Self.now + 100)
    _ = try CertifiedKey([certificate, authority.certificate], key: key)
  }

  @Test func `an issued certificate with an attestation is marked as simulated`() throws {
    let issued = try Self.authority().issue(Self.template(), for: PrivateKey(.p256))
    #expect(issued.der.contains(Array("simulated".utf8)))
    var template = Self.template()
    template.attestation = nil
    let plain = try Self.authority().issue(template, for: PrivateKey(.p256))
    #expect(!plain.der.contains(Array("simulated".utf8)))
  }

  @Test func `a certificate authority read from its certificate and key issues valid certificates`()
    throws
  {
    let authority = try Self.authority()
    let again = try CertificateAuthority(
      Certificate(der: authority.certificate.der), key: PrivateKey(der: authority.keyBytes))
    let issued = try again.issue(Self.template(), for: PrivateKey(.p256))
    #expect(issued.isSigned(by: authority.certificate))
    #expect(throws: SecretError.self) {
      try CertificateAuthority(authority.certificate, key: PrivateKey(.p256))
    }
  }

  @Test func `elliptic-curve and RSA keys sign only with their own algorithms`() throws {
    let elliptic = try PrivateKey(.p256)
    let rsa = try PrivateKey(.rsa(2048))
    let authority = try Self.authority()
    for (key, algorithm) in [
      (elliptic, SignatureAlgorithm.ecdsaSignatureMessageX962SHA256),
      (rsa, .rsaSignatureMessagePKCS1v15SHA256),
    ] {
      let certificate = try authority.issue(Self.template(), for: key)
      #expect(try certificate.verifies(key.sign([7], algorithm), of: [7]))
    }
    #expect(try rsa.sign([7], .rsaSignatureMessagePSSSHA256).count == 256)
    #expect(throws: SecretError.self) {
      try rsa.sign([7], .ecdsaSignatureMessageX962SHA256)
    }
    #expect(throws: SecretError.self) {
      try elliptic.sign([7], .rsaSignatureMessagePKCS1v15SHA256)
    }
    // A digest must have the length of its algorithm.
    #expect(throws: SecretError.self) { try elliptic.sign([7], .ecdsaSignatureDigestX962) }
  }

  @Test func `invalid bytes of a certificate or private key are rejected`() throws {
    let der = try Self.authority().certificate.der
    #expect(throws: SecretError.self) { try Certificate(der: []) }
    #expect(throws: SecretError.self) { try Certificate(der: Array(der.dropLast())) }
    #expect(throws: SecretError.self) { try Certificate(der: der + [0]) }
    #expect(throws: SecretError.self) { try PrivateKey(der: der) }
    #expect(throws: SecretError.self) { try PrivateKey(.rsa(64)) }
  }
}
