/// A part of a name: an attribute (`CN`, `2.5.4.3`) and its value.
package struct SubjectAttribute: Sendable, Hashable {
  package var type: String
  package var value: String
}

/// What a certificate is to say of its holder.
package struct CertificateSubject: Sendable, Hashable {
  /// Relative distinguished names, the outermost first.
  package var names: [[SubjectAttribute]] = []
  /// nil where none is asked for; so are the others.
  package var rfc822Name: String?
  package var dnsName: String?
  package var uniformResourceIdentifier: String?
  package var ntPrincipalName: String?
}

/// An identity that a device gets by SCEP, with a key that it makes.
///
/// Source: github.com/apple/device-management, `credentials/scep.yaml`.
package struct SCEPEnrollment: Sendable, Hashable {
  package var url: String
  /// The certificate authority's name; nil where there is one only.
  package var name: String?
  package var subject: CertificateSubject
  package var challenge: Secret<String>?
  /// In bits; RSA.
  package var keySize: Int
  /// Bits: 1 signing, 4 encryption.
  package var keyUsage: Int
  /// Of the authority's certificate; nil where it is not checked.
  package var fingerprint: [UInt8]?
  package var retries: Int
  /// In seconds.
  package var retryDelay: Int
}

/// An identity that a device gets by ACME, with a key that it makes.
///
/// Source: github.com/apple/device-management, `credentials/acme.yaml`.
package struct ACMEEnrollment: Sendable, Hashable {
  package enum Key: Sendable, Hashable {
    /// In bits.
    case rsa(Int)
    case p256, p384, p521
  }

  /// Where the private key lives.
  package enum Binding: Sendable, Hashable {
    case software
    /// In the Secure Enclave, which does not give it away.
    case hardware
    /// In the Secure Enclave, with a statement of the device about itself and the key.
    case attestedHardware
  }

  package var directoryURL: String
  package var clientIdentifier: Secret<String>
  package var key: Key
  package var binding: Binding
  package var subject: CertificateSubject
  /// Bits: 1 digital signature, 4 key encipherment; nil where none is asked for.
  package var usageFlags: Int?
  /// Object identifiers.
  package var extendedKeyUsage: [String]
}
