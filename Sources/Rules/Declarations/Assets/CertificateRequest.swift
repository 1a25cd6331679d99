/// A part of a name: an attribute (`CN`, `2.5.4.3`) and its value.
package struct SubjectAttribute: Sendable, Hashable {
  package var type: String
  package var value: String
}

/// The names of its holder that a certificate is to state.
package struct CertificateSubject: Sendable, Hashable {
  /// The relative distinguished names, the outermost first.
  package var names: [[SubjectAttribute]] = []
  /// The e-mail address; nil where none is asked for, as with the other names.
  package var rfc822Name: String?
  package var dnsName: String?
  package var uniformResourceIdentifier: String?
  package var ntPrincipalName: String?
}

/// An identity that a device gets by SCEP, with a key that the device makes.
///
/// Source: github.com/apple/device-management, `credentials/scep.yaml`.
package struct SCEPEnrollment: Sendable, Hashable {
  package var url: String
  /// The certificate authority's name; nil where there is one only.
  package var name: String?
  package var subject: CertificateSubject
  package var challenge: Secret<String>?
  /// The size of the RSA key, in bits.
  package var keySize: Int
  /// The usage of the key, as bits: 1 signing, 4 encryption.
  package var keyUsage: Int
  /// The fingerprint of the authority's certificate; nil where it is not checked.
  package var fingerprint: [UInt8]?
  package var retries: Int
  /// The delay between retries, in seconds.
  package var retryDelay: Int
}

/// An identity that a device gets by ACME, with a key that the device makes.
///
/// Source: github.com/apple/device-management, `credentials/acme.yaml`.
package struct ACMEEnrollment: Sendable, Hashable {
  /// The type of the key.
  package enum Key: Sendable, Hashable {
    /// An RSA key of that many bits.
    case rsa(Int)
    case p256, p384, p521
  }

  /// The place where the private key is kept.
  package enum Binding: Sendable, Hashable {
    case software
    /// The Secure Enclave, which does not give the key away.
    case hardware
    /// The Secure Enclave, with an attestation by the device of itself and the key.
    case attestedHardware
  }

  package var directoryURL: String
  package var clientIdentifier: Secret<String>
  package var key: Key
  package var binding: Binding
  package var subject: CertificateSubject
  /// The usage of the key, as bits: 1 digital signature, 4 key encipherment; nil where none is asked for.
  package var usageFlags: Int?
  /// The object identifiers of the extended usages of the key.
  package var extendedKeyUsage: [String]
}
