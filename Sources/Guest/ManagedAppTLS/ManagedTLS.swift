public import FoundationEssentials
public import ManagedApp
public import NIOCore
public import NIOSSL

extension TLSConfiguration {
  /// Creates a client configuration that presents a managed identity to servers that request a client certificate.
  ///
  /// The certificates are in this process, but the key stays on the device. Each handshake requests a signature from
  /// the device, so the app's thread must be in ``SluiceKit/Application/run()``. If the device does not sign, the
  /// handshake fails.
  ///
  /// - Throws: ``ManagedTLSError/unsupportedKey`` if the identity has no certificate, or its key is not a P-256, P-384,
  ///   P-521 or RSA key; an error from NIOSSL if it cannot read a certificate.
  public static func makeClientConfiguration(
    identity: SecIdentity
  ) throws -> TLSConfiguration {
    let certificates = try identity.certificates.map(NIOSSLCertificate.init)
    guard let own = certificates.first else { throw ManagedTLSError.unsupportedKey }
    let kind = try KeyKind(of: own.extractPublicKey().toSPKIBytes())
    let key = DeviceKey(identity, kind)
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.certificateChain = certificates.map { .certificate($0) }
    configuration.privateKey = .privateKey(NIOSSLPrivateKey(customPrivateKey: key))
    configuration.signingSignatureAlgorithms = key.signatureAlgorithms
    return configuration
  }
}

extension NIOSSLCertificate {
  /// Converts a managed certificate.
  ///
  /// - Throws: An error from NIOSSL if it cannot read the certificate.
  public convenience init(_ certificate: SecCertificate) throws {
    try self.init(bytes: Array(SecCertificateCopyData(certificate)), format: .der)
  }
}

// MARK: - Servers

/// The servers that this app may reach. The device lists them in the environment.
///
/// iOS has no counterpart, because its system resolves names and evaluates trust.
public struct ReachableServers: Sendable {
  private let addresses: [String: SocketAddress]
  /// The certificate of the organisation's certificate authority, which issued the servers' certificates.
  public let trustRoots: NIOSSLTrustRoots

  /// Reads the environment variables `SLUICE_SERVERS` and `SLUICE_TRUST`.
  ///
  /// `SLUICE_SERVERS` is a comma-separated list of entries such as `maps.contoso.com:443=127.0.0.1:40123`.
  /// `SLUICE_TRUST` is the path of a PEM file.
  ///
  /// - Throws: ``ManagedTLSError/environment`` if a variable is missing or malformed, and an error
  ///   from NIO if an address or the file cannot be read.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    guard let list = environment["SLUICE_SERVERS"], let trust = environment["SLUICE_TRUST"] else {
      throw ManagedTLSError.environment
    }
    var addresses: [String: SocketAddress] = [:]
    for entry in list.split(separator: ",") {
      let sides = entry.split(separator: "=")
      guard sides.count == 2, let colon = sides[1].lastIndex(of: ":"),
        let port = Int(sides[1][sides[1].index(after: colon)...])
      else { throw ManagedTLSError.environment }
      addresses[sides[0].lowercased()] = try SocketAddress(
        ipAddress: String(sides[1][..<colon]), port: port)
    }
    self.addresses = addresses
    trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(trust))
  }

  /// Returns the socket address for the host and port in a URL; nil if the app may not connect to them.
  public func address(of host: String, port: Int = 443) -> SocketAddress? {
    addresses["\(host.lowercased()):\(port)"]
  }
}

/// The reason why an identity or the servers cannot be used for TLS.
public enum ManagedTLSError: Error, Sendable, Hashable {
  /// The identity has no certificate, or its key is not a P-256, P-384, P-521 or RSA key.
  case unsupportedKey
  /// The environment variables that describe servers are missing or malformed.
  case environment
}

// MARK: - Keys

/// The kinds of keys that the device can sign with.
enum KeyKind: CaseIterable {
  case p256, p384, p521, rsa

  /// Reads the kind from a `SubjectPublicKeyInfo`.
  ///
  /// - Throws: ``ManagedTLSError/unsupportedKey`` if the key has none of these kinds.
  init(of key: [UInt8]) throws(ManagedTLSError) {
    // The algorithm identifier is at the start. In an RSA key, only the modulus and exponent follow
    // it.
    let start = key.prefix(32)
    guard let kind = Self.allCases.first(where: { start.contains($0.identifier) }) else {
      throw .unsupportedKey
    }
    self = kind
  }

  /// The object identifier of the curve (RFC 5480) or of RSA (RFC 8017), with its DER tag and length.
  private var identifier: [UInt8] {
    switch self {
    case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
    case .rsa: [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    }
  }

  /// The key's TLS signature algorithms in order of preference (RFC 8446, 4.2.3).
  /// PKCS #1 is for TLS 1.2 only.
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

  /// Returns Apple's name for an algorithm; nil if no ``KeyKind`` supports it.
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

/// An identity's private key, which stays on the device. The device signs with it.
struct DeviceKey: NIOSSLCustomPrivateKey {
  private let identity: SecIdentity
  let signatureAlgorithms: [NIOSSL.SignatureAlgorithm]

  init(_ identity: SecIdentity, _ kind: KeyKind) {
    self.identity = identity
    signatureAlgorithms = kind.signatureAlgorithms
  }

  func sign(
    channel: any Channel, algorithm: NIOSSL.SignatureAlgorithm, data: ByteBuffer
  ) -> EventLoopFuture<ByteBuffer> {
    guard let name = KeyKind.name(of: algorithm) else {
      return channel.eventLoop.makeFailedFuture(ManagedTLSError.unsupportedKey)
    }
    return channel.eventLoop.makeFutureWithTask { [identity] in
      let signature = try await identity.signature(
        for: Data(data.readableBytesView), algorithm: name)
      return ByteBuffer(bytes: signature)
    }
  }

  /// Always fails. Only RSA key exchange needs decryption, and this key does not offer it.
  func decrypt(channel: any Channel, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
    channel.eventLoop.makeFailedFuture(ManagedTLSError.unsupportedKey)
  }
}

extension DeviceKey: Hashable {
  static func == (left: DeviceKey, right: DeviceKey) -> Bool { left.identity === right.identity }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
