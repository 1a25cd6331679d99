internal import Encodings
internal import NIOSSL

/// The settings that the process gives its link first: lines of a name, a blank and a value.
///
/// | name | value |
/// | --- | --- |
/// | `bind` | the address that it listens at, such as `127.0.0.1` |
/// | `certificate` | its own certificate, DER in hexadecimal digits |
/// | `key` | the certificate's key, in the same form |
/// | `authority` | the certificate of the authority that issued all certificates, in the same form |
/// | `peer` | the number of a peer, and its certificate in the same form; once for each |
struct LinkSettings {
  let address: String
  let server: TLSConfiguration
  let client: TLSConfiguration
  /// The numbers of peers, by their certificates.
  let peers: [[UInt8]: UInt32]

  /// Reads the settings.
  ///
  /// - Throws: ``LinkError`` where a setting is missing or wrong, and the error of NIOSSL for a certificate or key that it
  ///   does not read.
  init(_ text: String) throws {
    var values: [Substring: Substring] = [:]
    var peers: [[UInt8]: UInt32] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.first == "peer", words.count == 3 {
        guard let number = UInt32(words[1]), let certificate = Hexadecimal.bytes(words[2]) else {
          throw LinkError("a setting `peer` is wrong")
        }
        peers[certificate] = number
      } else {
        guard words.count == 2 else { throw LinkError("a setting has no value") }
        values[words[0]] = words[1]
      }
    }
    guard let address = values["bind"] else { throw LinkError("the setting `bind` is missing") }
    self.address = String(address)
    self.peers = peers
    let chain = try [
      NIOSSLCertificateSource.certificate(
        NIOSSLCertificate(bytes: Self.bytes("certificate", values), format: .der))
    ]
    let key = try NIOSSLPrivateKeySource.privateKey(
      NIOSSLPrivateKey(bytes: Self.bytes("key", values), format: .der))
    let authority = try NIOSSLCertificate(bytes: Self.bytes("authority", values), format: .der)
    var server = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: key)
    server.trustRoots = .certificates([authority])
    server.certificateVerification = .noHostnameVerification
    server.minimumTLSVersion = .tlsv13
    self.server = server
    var client = TLSConfiguration.makeClientConfiguration()
    client.certificateChain = chain
    client.privateKey = key
    client.trustRoots = .certificates([authority])
    // A peer is known by its certificate, wherever it is.
    client.certificateVerification = .noHostnameVerification
    client.minimumTLSVersion = .tlsv13
    self.client = client
  }

  private static func bytes(
    _ name: Substring, _ values: [Substring: Substring]
  ) throws(LinkError) -> [UInt8] {
    guard let bytes = values[name].flatMap({ Hexadecimal.bytes($0) }) else {
      throw LinkError("the setting `\(name)` is missing or wrong")
    }
    return bytes
  }
}

/// The reason why the link cannot serve.
struct LinkError: Error, CustomStringConvertible {
  /// The reason: lower case, no full stop.
  let description: String

  init(_ description: String) { self.description = description }
}
