internal import Encodings
internal import NIOSSL

/// What the device tells a server: lines of a name, a blank and a value.
///
/// | name | value |
/// | --- | --- |
/// | `certificate` | the server's, DER in hexadecimal digits |
/// | `key` | its key, in the same way |
/// | `authority` | the certificate of who issues clients' certificates |
/// | `clients` | `required`: a certificate is demanded of them; `none` |
/// | `tls` | `any`, `1.2` or `1.3` |
struct ServerSettings {
  let configuration: TLSConfiguration

  /// - Throws: ``ServerError`` where something is missing or wrong.
  init(_ text: String) throws {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { throw ServerError("a setting has no value") }
      values[words[0]] = words[1]
    }
    let certificate = try NIOSSLCertificate(bytes: Self.bytes("certificate", values), format: .der)
    let authority = try NIOSSLCertificate(bytes: Self.bytes("authority", values), format: .der)
    let key = try NIOSSLPrivateKey(bytes: Self.bytes("key", values), format: .der)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
    configuration.trustRoots = .certificates([authority])
    configuration.minimumTLSVersion = .tlsv12
    configuration.verifySignatureAlgorithms = Self.signatures
    switch values["clients"] {
    case "required":
      // Clients have no host name.
      configuration.certificateVerification = .noHostnameVerification
      configuration.sendCANameList = true
    case "none": configuration.certificateVerification = .none
    default: throw ServerError("the setting `clients` is missing or wrong")
    }
    switch values["tls"] {
    case "any": break
    case "1.2": configuration.maximumTLSVersion = .tlsv12
    case "1.3": configuration.minimumTLSVersion = .tlsv13
    default: throw ServerError("the setting `tls` is missing or wrong")
    }
    self.configuration = configuration
  }

  /// What clients may sign with (RFC 8446, 4.2.3): P-521 is not among what BoringSSL takes by itself.
  private static let signatures: [SignatureAlgorithm] = [
    .ecdsaSecp256R1Sha256, .ecdsaSecp384R1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha256,
    .rsaPssRsaeSha384, .rsaPssRsaeSha512, .rsaPkcs1Sha256, .rsaPkcs1Sha384, .rsaPkcs1Sha512,
  ]

  private static func bytes(
    _ name: Substring, _ values: [Substring: Substring]
  ) throws(ServerError) -> [UInt8] {
    guard let bytes = values[name].flatMap(Hexadecimal.bytes) else {
      throw ServerError("the setting `\(name)` is missing or wrong")
    }
    return bytes
  }
}
