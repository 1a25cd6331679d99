public import Foundation

/// An X.509 certificate, as Apple's Security framework has it.
public final class SecCertificate: Sendable {
  /// DER.
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data {
  Data(certificate.bytes)
}
