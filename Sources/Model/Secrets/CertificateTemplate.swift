/// What a certificate is to say.
package struct CertificateTemplate: Sendable, Hashable {
  package struct Attribute: Sendable, Hashable {
    /// `CN`, or an object identifier.
    package var type: String
    package var value: String

    package init(type: String, value: String) {
      self.type = type
      self.value = value
    }
  }

  /// Other names of the holder.
  package enum AlternativeName: Sendable, Hashable {
    case mail(String)
    case host(String)
    case uri(String)
    /// A user principal name, as Microsoft has it.
    case principal(String)
  }

  /// What a device says of itself and a key that it keeps in hardware. It is simulated: nobody has signed it but the
  /// authority that signs the certificate.
  package struct Attestation: Sendable, Hashable {
    package var device: String
    package var model: String
    package var osVersion: String

    package init(device: String, model: String, osVersion: String) {
      self.device = device
      self.model = model
      self.osVersion = osVersion
    }
  }

  /// The outermost first; each has at least one attribute.
  package var subject: [[Attribute]]
  package var alternativeNames: [AlternativeName] = []
  /// Seconds since 1970-01-01T00:00:00Z, both included.
  package var validity: ClosedRange<Int>
  /// Whether the key is used for signatures, and for the exchange of keys.
  package var usage: Usage = .signature
  /// Object identifiers.
  package var extendedUsage: [String] = []
  /// nil: none is asked for.
  package var attestation: Attestation?

  /// Bits of `KeyUsage` (RFC 5280), as far as they are used.
  package struct Usage: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let signature = Usage(rawValue: 0x80)
    package static let keyEncipherment = Usage(rawValue: 0x20)
    package static let certificates = Usage(rawValue: 0x04)
    package static let revocations = Usage(rawValue: 0x02)
  }

  package init(subject: [[Attribute]], validity: ClosedRange<Int>) {
    self.subject = subject
    self.validity = validity
  }
}
