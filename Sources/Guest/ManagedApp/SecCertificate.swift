public import FoundationEssentials

/// An X.509 certificate, with the interface of Apple's Security framework.
public final class SecCertificate: Sendable {
  /// The certificate in DER.
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data {
  Data(certificate.bytes)
}
