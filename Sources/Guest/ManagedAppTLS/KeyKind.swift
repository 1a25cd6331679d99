internal import ManagedApp
internal import NIOSSL

/// The kind of a public key, among those with which devices sign.
enum KeyKind: CaseIterable {
  case p256, p384, p521, rsa

  /// - Parameter key: a `SubjectPublicKeyInfo`.
  /// - Throws: ``ManagedTLSError/unsupportedKey`` for a key of another kind.
  init(of key: [UInt8]) throws(ManagedTLSError) {
    // The algorithm comes first; of an RSA key nothing but its numbers is behind it.
    let start = key.prefix(32)
    guard let kind = Self.allCases.first(where: { start.contains($0.identifier) }) else {
      throw .unsupportedKey
    }
    self = kind
  }

  /// The object identifier of the curve (RFC 5480), or of RSA (RFC 8017), with tag and length.
  private var identifier: [UInt8] {
    switch self {
    case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
    case .rsa: [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    }
  }

  /// The algorithms by which the key signs in TLS (RFC 8446, 4.2.3), the preferred first. PKCS #1 is for TLS 1.2 alone.
  var signatureAlgorithms: [NIOSSL.SignatureAlgorithm] {
    switch self {
    case .p256: [.ecdsaSecp256R1Sha256]
    case .p384: [.ecdsaSecp384R1Sha384]
    case .p521: [.ecdsaSecp521R1Sha512]
    case .rsa:
      [
        .rsaPssRsaeSha256, .rsaPssRsaeSha384, .rsaPssRsaeSha512, .rsaPkcs1Sha256,
        .rsaPkcs1Sha384, .rsaPkcs1Sha512,
      ]
    }
  }

  /// Apple's name of an algorithm; nil where no kind of key here signs with it.
  static func name(of algorithm: NIOSSL.SignatureAlgorithm) -> ManagedApp.SignatureAlgorithm? {
    names[algorithm]
  }

  private static let names: [NIOSSL.SignatureAlgorithm: ManagedApp.SignatureAlgorithm] = [
    .ecdsaSecp256R1Sha256: .ecdsaSignatureMessageX962SHA256,
    .ecdsaSecp384R1Sha384: .ecdsaSignatureMessageX962SHA384,
    .ecdsaSecp521R1Sha512: .ecdsaSignatureMessageX962SHA512,
    .rsaPssRsaeSha256: .rsaSignatureMessagePSSSHA256,
    .rsaPssRsaeSha384: .rsaSignatureMessagePSSSHA384,
    .rsaPssRsaeSha512: .rsaSignatureMessagePSSSHA512,
    .rsaPkcs1Sha256: .rsaSignatureMessagePKCS1v15SHA256,
    .rsaPkcs1Sha384: .rsaSignatureMessagePKCS1v15SHA384,
    .rsaPkcs1Sha512: .rsaSignatureMessagePKCS1v15SHA512,
  ]
}
