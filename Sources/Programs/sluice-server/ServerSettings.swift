internal import Encodings
internal import Glibc
internal import NIOSSL

/// The settings that the device gives a server: lines with a name, a space and a value.
///
/// | name | value |
/// | --- | --- |
/// | `certificate` | the server's certificate, as hexadecimal DER |
/// | `key` | the certificate's key, in the same form |
/// | `authority` | the certificate of the authority that issues clients' certificates, in the same form |
/// | `clients` | `required`: clients must present a certificate; `none`: they need not |
/// | `tls` | `any`, `1.2` or `1.3` |
struct ServerSettings {
  let configuration: TLSConfiguration

  /// Parses settings.
  ///
  /// - Throws: ``ServerError`` if a setting is missing or invalid. An error from NIOSSL if a certificate or key cannot
  ///   be read.
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
      // Clients have no host name that could be verified.
      configuration.certificateVerification = .noHostnameVerification
      configuration.sendCANameList = true
    case "none": configuration.certificateVerification = .none
    default:  // open: any other value, or none
      throw ServerError(
        "the setting `clients` is missing or invalid; expected `required` or `none`")
    }
    switch values["tls"] {
    case "any": break
    case "1.2": configuration.maximumTLSVersion = .tlsv12
    case "1.3": configuration.minimumTLSVersion = .tlsv13
    default:  // open: any other value, or none
      throw ServerError("the setting `tls` is missing or invalid; expected `any`, `1.2` or `1.3`")
    }
    self.configuration = configuration
  }

  /// The signature algorithms that clients may use (RFC 8446, 4.2.3). BoringSSL's default list does not contain P-521.
  private static let signatures: [SignatureAlgorithm] = [
    .ecdsaSecp256R1Sha256, .ecdsaSecp384R1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha256,
    .rsaPssRsaeSha384, .rsaPssRsaeSha512, .rsaPkcs1Sha256, .rsaPkcs1Sha384, .rsaPkcs1Sha512,
  ]

  private static func bytes(
    _ name: Substring, _ values: [Substring: Substring]
  ) throws(ServerError) -> [UInt8] {
    guard let bytes = values[name].flatMap(Hexadecimal.bytes) else {
      throw ServerError("the setting `\(name)` is missing or invalid; expected hexadecimal digits")
    }
    return bytes
  }
}

/// The reason why the server cannot start.
struct ServerError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

enum StandardInput {
  /// Reads all of standard input. Throws an error if it has more than 1 MiB.
  static func text() throws(ServerError) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
      guard bytes.count <= 1 << 20 else { throw ServerError("the settings are too long") }
    }
  }
}

enum StandardOutput {
  /// Writes a line immediately, without buffering.
  static func write(_ line: String) {
    var bytes = Array(line.utf8)[...]
    bytes.append(10)
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
