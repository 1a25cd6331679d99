internal import FoundationEssentials
public import ManagedApp
public import NIOSSL

extension TLSConfiguration {
  /// The configuration of a client that shows an identity from its administrator to servers that ask for one.
  ///
  /// The certificates are in this process. The key stays on the device, which signs whenever a handshake needs it,
  /// so that the app's thread must be in ``SluiceKit/Application/run()`` meanwhile. Where the device does not
  /// sign, the handshake fails.
  ///
  /// - Throws: ``ManagedTLSError/unsupportedKey``, and the error of NIOSSL for certificates that it does not read.
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
  /// Makes a certificate of NIOSSL.
  ///
  /// - Throws: the error of NIOSSL for a certificate that it does not read.
  public convenience init(_ certificate: SecCertificate) throws {
    try self.init(bytes: Array(SecCertificateCopyData(certificate)), format: .der)
  }
}
