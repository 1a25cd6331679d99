/// The content of a certificate to be issued.
package struct CertificateTemplate: Sendable, Hashable {
  /// An attribute of a subject.
  package struct Attribute: Sendable, Hashable {
    /// `CN`, or an object identifier.
    package var type: String
    package var value: String

    /// An attribute of `type`.
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
    /// A user principal name, in Microsoft's form.
    case principal(String)
  }

  /// A device's statement about itself and a key that it keeps in hardware. It is simulated: only the
  /// authority that signs the certificate vouches for it.
  package struct Attestation: Sendable, Hashable {
    package var device: String
    package var model: String
    package var osVersion: String

    /// An attestation by `device`.
    package init(device: String, model: String, osVersion: String) {
      self.device = device
      self.model = model
      self.osVersion = osVersion
    }
  }

  /// The relative names, the outermost first; each has at least one attribute.
  package var subject: [[Attribute]]
  package var alternativeNames: [AlternativeName] = []
  /// The validity in seconds since 1970-01-01T00:00:00Z, both bounds included.
  package var validity: ClosedRange<Int>
  /// The uses of the key, such as signatures and the exchange of keys.
  package var usage: Usage = .signature
  /// Object identifiers of the extended uses.
  package var extendedUsage: [String] = []
  /// The attestation; nil where none is asked for.
  package var attestation: Attestation?

  /// Bits of `KeyUsage` (RFC 5280), as far as Sluice uses them.
  package struct Usage: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    /// A usage with the given bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let signature = Usage(rawValue: 0x80)
    package static let keyEncipherment = Usage(rawValue: 0x20)
    package static let certificates = Usage(rawValue: 0x04)
    package static let revocations = Usage(rawValue: 0x02)
  }

  /// A template for signatures, without other names and attestation.
  package init(subject: [[Attribute]], validity: ClosedRange<Int>) {
    self.subject = subject
    self.validity = validity
  }
}
