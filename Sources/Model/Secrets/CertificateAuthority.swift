internal import CCrypto
internal import Cryptography

/// The certificate authority of a simulated organisation.
///
/// Confined to one thread at a time.
package final class CertificateAuthority {
  /// The authority's self-signed certificate.
  package let certificate: Certificate
  private let key: PrivateKey

  /// The object identifier of the certificate extension with the simulated attestation. Its enterprise number below
  /// `1.3.6.1.4.1` is reserved for documentation (RFC 5612), so no real certificate uses it.
  fileprivate static let attestationIdentifier = "1.3.6.1.4.1.32473.1.1"

  /// Creates an authority from its stored certificate and key.
  ///
  /// - Throws: ``SecretError`` if `key` does not belong to `certificate`.
  package init(_ certificate: Certificate, key: PrivateKey) throws(SecretError) {
    guard certificate.isOf(key) else {
      throw SecretError(.mismatch, "the key does not match the authority's certificate")
    }
    self.certificate = certificate
    self.key = key
  }

  /// Creates an authority with a new key and a self-signed certificate.
  ///
  /// - Parameter validity: The certificate's validity in seconds since 1970-01-01T00:00:00Z.
  /// - Throws: ``SecretError`` if libcrypto creates no key or certificate.
  package init(named name: String, validity: ClosedRange<Int>) throws(SecretError) {
    key = try PrivateKey(.p256)
    var template = CertificateTemplate(
      subject: [[.init(type: "CN", value: name)]], validity: validity)
    template.usage = [.certificates, .revocations]
    let builder = try CertificateBuilder(template, for: key)
    try builder.addBasicConstraints(isAuthority: true)
    try builder.addUsage(template)
    certificate = try builder.sign(as: nil, with: key)
  }

  /// The authority's key in DER. The owner of the authority stores the key in a database.
  package var keyBytes: [UInt8] { key.der }

  /// Issues a certificate for `template`.
  ///
  /// - Throws: ``SecretError`` if a field of the template cannot be encoded.
  package func issue(
    _ template: CertificateTemplate, for key: PrivateKey
  ) throws(SecretError) -> Certificate {
    let builder = try CertificateBuilder(template, for: key)
    try builder.addBasicConstraints(isAuthority: false)
    try builder.addUsage(template)
    try builder.addAlternativeNames(template.alternativeNames)
    if let attestation = template.attestation { try builder.add(attestation, of: key) }
    return try builder.sign(as: certificate, with: self.key)
  }
}

private struct CertificateBuilder {
  private let certificate: Certificate

  init(_ template: CertificateTemplate, for key: PrivateKey) throws(SecretError) {
    guard let pointer = X509_new() else { throw Self.refusal("a certificate") }
    certificate = Certificate(owning: pointer)
    // 2 is version 3 (RFC 5280, 4.1.2.1).
    guard X509_set_version(pointer, 2) == 1, X509_set_pubkey(pointer, key.pointer) == 1,
      ASN1_TIME_set(X509_getm_notBefore(pointer), template.validity.lowerBound) != nil,
      ASN1_TIME_set(X509_getm_notAfter(pointer), template.validity.upperBound) != nil
    else { throw Self.refusal("its key and times") }
    try setSerial()
    try setSubject(template.subject)
  }

  private func setSerial() throws(SecretError) {
    let bytes = randomBytes(8)
    // Serial numbers must be positive.
    let serial = bytes.reduce(0) { $0 << 8 | UInt64($1) } >> 1 | 1
    guard ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.pointer), serial) == 1 else {
      throw Self.refusal("its number")
    }
  }

  private func setSubject(
    _ subject: [[CertificateTemplate.Attribute]]
  ) throws(SecretError) {
    let name = X509_get_subject_name(certificate.pointer)
    for attributes in subject {
      for (index, attribute) in attributes.enumerated() {
        let value = Array(attribute.value.utf8)
        // 0 starts a relative name, and -1 adds to the last relative name.
        let isAdded = X509_NAME_add_entry_by_txt(
          name, attribute.type, MBSTRING_UTF8, value, Int32(value.count), -1, index == 0 ? 0 : -1)
        guard isAdded == 1 else { throw Self.refusal("`\(attribute.type)` in its subject") }
      }
    }
  }

  func addBasicConstraints(isAuthority: Bool) throws(SecretError) {
    try add("2.5.29.19", isCritical: true, DER.sequence(isAuthority ? [DER.boolean(true)] : []))
  }

  func addUsage(_ template: CertificateTemplate) throws(SecretError) {
    try add("2.5.29.15", isCritical: true, DER.bits(template.usage.rawValue))
    guard !template.extendedUsage.isEmpty else { return }
    var identifiers: [[UInt8]] = []
    for text in template.extendedUsage { identifiers.append(try Self.identifier(text)) }
    try add("2.5.29.37", DER.sequence(identifiers))
  }

  func addAlternativeNames(
    _ names: [CertificateTemplate.AlternativeName]
  ) throws(SecretError) {
    guard !names.isEmpty else { return }
    var values: [[UInt8]] = []
    for name in names {
      switch name {
      case .mail(let text): values.append(DER.tagged(1, Array(text.utf8)))
      case .host(let text): values.append(DER.tagged(2, Array(text.utf8)))
      case .uri(let text): values.append(DER.tagged(6, Array(text.utf8)))
      case .principal(let text):
        // The identifier `szOID_NT_PRINCIPAL_NAME` in Windows.
        let type = try Self.identifier("1.3.6.1.4.1.311.20.2.3")
        values.append(
          DER.tagged(
            0, type + DER.tagged(0, DER.text(text), isConstructed: true), isConstructed: true))
      }
    }
    try add("2.5.29.17", DER.sequence(values))
  }

  func add(
    _ attestation: CertificateTemplate.Attestation, of key: PrivateKey
  ) throws(SecretError) {
    let texts = ["simulated", attestation.device, attestation.model, attestation.osVersion]
    try add(
      CertificateAuthority.attestationIdentifier,
      DER.sequence(texts.map(DER.text) + [DER.octets(sha256(key.publicKey))]))
  }

  private func add(
    _ identifier: String, isCritical: Bool = false, _ value: [UInt8]
  ) throws(SecretError) {
    guard let object = OBJ_txt2obj(identifier, 1), let octets = ASN1_OCTET_STRING_new() else {
      throw Self.refusal("an extension")
    }
    defer {
      ASN1_OBJECT_free(object)
      ASN1_OCTET_STRING_free(octets)
    }
    guard ASN1_OCTET_STRING_set(octets, value, Int32(value.count)) == 1,
      let added = X509_EXTENSION_create_by_OBJ(nil, object, isCritical ? 1 : 0, octets)
    else { throw Self.refusal("an extension") }
    defer { X509_EXTENSION_free(added) }
    guard X509_add_ext(certificate.pointer, added, -1) == 1 else {
      throw Self.refusal("an extension")
    }
  }

  private static func identifier(_ text: String) throws(SecretError) -> [UInt8] {
    guard let object = OBJ_txt2obj(text, 1) else { throw refusal("`\(text)`") }
    defer { ASN1_OBJECT_free(object) }
    return encoded { i2d_ASN1_OBJECT(object, $0) }
  }

  /// Sets the issuer's name and signs the certificate with `key`.
  ///
  /// - Parameter issuer: The issuer's certificate; nil for a self-signed certificate.
  func sign(as issuer: Certificate?, with key: PrivateKey) throws(SecretError) -> Certificate {
    let name = X509_get_subject_name((issuer ?? certificate).pointer)
    guard X509_set_issuer_name(certificate.pointer, name) == 1,
      X509_sign(certificate.pointer, key.pointer, EVP_sha256()) > 0
    else { throw Self.refusal("a signature") }
    return certificate
  }

  private static func refusal(_ what: String) -> SecretError {
    ERR_clear_error()
    return SecretError(.unsupported, "a certificate cannot be created with \(what)")
  }
}

// MARK: - Template

/// The content of a certificate that an authority issues.
package struct CertificateTemplate: Sendable, Hashable {
  package struct Attribute: Sendable, Hashable {
    /// The attribute type: a short name such as `CN`, or an object identifier.
    package var type: String
    package var value: String

    package init(type: String, value: String) {
      self.type = type
      self.value = value
    }
  }

  package enum AlternativeName: Sendable, Hashable {
    case mail(String)
    case host(String)
    case uri(String)
    /// A user principal name, in Microsoft's encoding.
    case principal(String)
  }

  /// A device's statement about itself and its hardware-bound key. The simulated device has no hardware to prove the
  /// statement; only the authority's signature on the certificate confirms it.
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

  /// The relative distinguished names, the outermost first. Each consists of at least one attribute.
  package var subject: [[Attribute]]
  package var alternativeNames: [AlternativeName] = []
  /// The validity in seconds since 1970-01-01T00:00:00Z, both bounds included.
  package var validity: ClosedRange<Int>
  package var usage: Usage = .signature
  /// The purposes in the extended key usage, as object identifiers.
  package var extendedUsage: [String] = []
  package var attestation: Attestation?

  /// The `KeyUsage` bits (RFC 5280) that Sluice uses.
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

// MARK: - DER

/// Encodes certificate extensions in DER (X.690).
private enum DER {
  static func sequence(_ parts: [[UInt8]]) -> [UInt8] { value(0x30, parts.flatMap(\.self)) }

  static func boolean(_ flag: Bool) -> [UInt8] { value(0x01, [flag ? 0xFF : 0]) }

  static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

  static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }

  /// Returns the encoding of a bit string with up to eight flags. The highest bit of `bits` is flag 0.
  static func bits(_ bits: UInt8) -> [UInt8] {
    value(0x03, [UInt8(bits == 0 ? 0 : bits.trailingZeroBitCount), bits])
  }

  /// Returns the encoding of an element with the context-specific tag `number`.
  static func tagged(_ number: UInt8, _ content: [UInt8], isConstructed: Bool = false) -> [UInt8] {
    value((isConstructed ? 0xA0 : 0x80) | number, content)
  }

  private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag] + length(content.count) + content
  }

  private static func length(_ count: Int) -> [UInt8] {
    guard count > 0x7F else { return [UInt8(count)] }
    let bytes = withUnsafeBytes(of: count.bigEndian) { Array($0.drop { $0 == 0 }) }
    return [0x80 | UInt8(bytes.count)] + bytes
  }
}
