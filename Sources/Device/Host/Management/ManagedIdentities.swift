internal import Cryptography
internal import Declarations
internal import Encodings
internal import Foundation
internal import GRDB
internal import Model
internal import Secrets

enum IdentityError: Error {
  /// The device is offline and cannot request a certificate.
  case unreachable
  case unusable(SecretError)
}

/// Manages the identities (keys with certificates) that Apple's declarations assign to apps. The device opens the PKCS
/// #12 files of administrators and generates keys. Guests receive certificates and signatures, never keys.
final class ManagedIdentities {
  /// The identities that have been loaded, keyed by storage name.
  var identities: [String: CertifiedKey] = [:]
  /// The storage name of each identity that was requested, keyed by the recipient and the identity's identifier.
  private var places: [IdentityName: IdentityPlace] = [:]
  /// The errors for the identities that could not be loaded or created, keyed by storage name.
  private var unusable: [String: SecretError] = [:]
  /// The organisation's certificate authority; nil until first use.
  var knownAuthority: CertificateAuthority?
  private let deviceName: String
  private let access: AccessController
  private let clock: VirtualClock
  private let database: DeviceDatabase
  private let durability: Durability
  private let vacuum: Vacuum

  init(
    deviceName: String, access: AccessController, clock: VirtualClock, database: DeviceDatabase,
    durability: Durability, vacuum: Vacuum
  ) {
    self.deviceName = deviceName
    self.access = access
    self.clock = clock
    self.database = database
    self.durability = durability
    self.vacuum = vacuum
  }

  /// Returns the identity for an asset and a recipient. If the asset contains a PKCS #12 file, the identity comes from
  /// the file. Otherwise, the first call creates and stores a key and a certificate.
  func identity(
    _ secret: ManagedContent.Named<IdentityCredential>, of recipient: ComposedIdentifier
  ) throws(IdentityError) -> CertifiedKey {
    let place = place(of: secret, recipient)
    if let identity = identities[place] { return identity }
    if let failure = unusable[place] { throw .unusable(failure) }
    var identity: CertifiedKey?
    do throws(SecretError) {
      switch secret.value {
      case .pkcs12(let file, let password):
        identity = try PKCS12File(file.value).open(password: password.value)
      case .scep, .acme:
        identity = try knownIdentity(at: place)
        if identity == nil, access.conditions.isOnline {
          identity = try enroll(secret.value, at: place)
        }
      }
    } catch {
      // The error is stored, because it would recur, and finding it can be slow.
      unusable[place] = error
      throw .unusable(error)
    }
    guard let identity else { throw .unreachable }
    identities[place] = identity
    return identity
  }

  /// Returns the storage name of an identity. It differs for each recipient, each credential, and each revision of a
  /// credential.
  private func place(
    of secret: ManagedContent.Named<IdentityCredential>, _ recipient: ComposedIdentifier
  ) -> String {
    let name = IdentityName(recipient: recipient, identifier: secret.identifier)
    if let known = places[name], known.secret == secret { return known.path }
    let path = Self.path(of: secret, recipient)
    places[name] = IdentityPlace(secret: secret, path: path)
    return path
  }

  private static func path(
    of secret: ManagedContent.Named<IdentityCredential>, _ recipient: ComposedIdentifier
  ) -> String {
    var parts = ["\(recipient)", secret.identifier, secret.revision].map { Array($0.utf8) }
    switch secret.value {
    case .pkcs12(let file, let password): parts += [file.value, Array(password.value.utf8)]
    case .scep(let enrollment):
      parts += ["\(enrollment)", enrollment.challenge?.value ?? ""].map { Array($0.utf8) }
    case .acme(let enrollment):
      parts += ["\(enrollment)", enrollment.clientIdentifier.value].map { Array($0.utf8) }
    }
    // Each part is prefixed with its length, so different lists cannot produce the same bytes.
    let bytes = parts.flatMap { part in Array("\(part.count):".utf8) + part }
    return "managedIdentity \(Hexadecimal.text(sha256(bytes)))"
  }

  private func knownIdentity(at place: String) throws(SecretError) -> CertifiedKey? {
    var saved: (key: [UInt8], certificate: [UInt8])?
    durability.persist { () throws(HostError) in saved = try database.identity(at: place) }
    guard let saved else { return nil }
    return try CertifiedKey(
      [Certificate(der: saved.certificate), authority().certificate],
      key: PrivateKey(der: saved.key))
  }

  /// Generates a key, and has the organisation's authority issue its certificate.
  private func enroll(
    _ credential: IdentityCredential, at place: String
  ) throws(SecretError) -> CertifiedKey {
    let request = CertificateRequest(
      credential, device: deviceName, access.conditions, from: clock.now)
    let key = try PrivateKey(request.key)
    let authority = try authority()
    let certificate = try authority.issue(request.template, for: key)
    durability.persist { () throws(HostError) in
      try database.save((key.der, certificate.der), at: place)
    }
    return try CertifiedKey([certificate, authority.certificate], key: key)
  }

  private static let authorityPlace = "organizationAuthority"
  /// The validity of the authority's certificate, in seconds: ten years.
  private static let authorityLifetime = 315_360_000

  /// Returns the organisation's certificate authority, which the first call creates.
  func authority() throws(SecretError) -> CertificateAuthority {
    if let authority = knownAuthority { return authority }
    var saved: (key: [UInt8], certificate: [UInt8])?
    durability.persist { () throws(HostError) in
      saved = try database.identity(at: Self.authorityPlace)
    }
    let authority: CertificateAuthority
    if let saved {
      authority = try CertificateAuthority(
        Certificate(der: saved.certificate), key: PrivateKey(der: saved.key))
    } else {
      // The validity begins a day early, to allow for clients with slow clocks.
      authority = try CertificateAuthority(
        named: "Sluice simulated organization",
        validity: (clock.now - 86_400)...(clock.now + Self.authorityLifetime))
      durability.persist { () throws(HostError) in
        try database.save(
          (authority.keyBytes, authority.certificate.der), at: Self.authorityPlace)
      }
    }
    knownAuthority = authority
    return authority
  }

  /// Returns the certificate of the organisation's authority in DER. Clients need it to trust certificates that the
  /// authority issued.
  ///
  /// - Throws: ``HostError`` if the authority cannot be created or read.
  func organizationCertificate() throws(HostError) -> [UInt8] {
    do throws(SecretError) {
      return try authority().certificate.der
    } catch {
      throw HostError(.database, error.description)
    }
  }

  /// Deletes the identities that are not in `contents`: destroys their stored keys, and removes them from memory.
  ///
  /// - Parameter contents: The content that is now assigned, for each recipient.
  func keepIdentities(of contents: [ComposedIdentifier: ManagedContent]) {
    var kept: Set<String> = []
    for (recipient, content) in contents {
      kept.formUnion(content.identities.map { place(of: $0, recipient) })
    }
    identities = identities.filter { kept.contains($0.key) }
    unusable = unusable.filter { kept.contains($0.key) }
    places = places.filter { kept.contains($0.value.path) }
    durability.persist { () throws(HostError) in
      if try database.keepIdentities(at: kept) { vacuum.schedule() }
    }
  }
}

private struct IdentityName: Hashable {
  var recipient: ComposedIdentifier
  var identifier: String
}

/// The storage name of an identity, with the secret that determined the name.
private struct IdentityPlace {
  var secret: ManagedContent.Named<IdentityCredential>
  var path: String
}

// MARK: - Certificates

private struct CertificateRequest {
  var key: PrivateKey.Kind
  var template: CertificateTemplate

  /// The validity of certificates, in seconds: a year.
  private static let lifetime = 31_536_000
  /// The key purpose `id-kp-clientAuth` (RFC 5280).
  private static let clientAuthentication = "1.3.6.1.5.5.7.3.2"

  /// Creates the request for a certificate.
  ///
  /// - Parameter credential: An enrollment by SCEP or ACME. Traps for PKCS #12.
  init(
    _ credential: IdentityCredential, device: String, _ conditions: DevicePosture, from now: Int
  ) {
    let validity = (now - 300)...(now + Self.lifetime)
    switch credential {
    case .scep(let enrollment):
      key = .rsa(enrollment.keySize)
      template = Self.template(enrollment.subject, validity, device)
      template.usage = Self.usage(enrollment.keyUsage, encryption: 4)
      template.extendedUsage = [Self.clientAuthentication]
    case .acme(let enrollment):
      key = PrivateKey.Kind(enrollment.key)
      template = Self.template(enrollment.subject, validity, device)
      template.usage = Self.usage(enrollment.usageFlags ?? 1, encryption: 4)
      template.extendedUsage =
        enrollment.extendedKeyUsage.isEmpty
        ? [Self.clientAuthentication] : enrollment.extendedKeyUsage
      guard enrollment.binding == .attestedHardware else { return }
      template.attestation = .init(
        device: device, model: conditions.model, osVersion: conditions.osVersion.description)
    case .pkcs12:
      preconditionFailure(
        "an identity from a PKCS #12 file needs no template: the file contains the certificate")
    }
  }

  private static func usage(_ flags: Int, encryption: Int) -> CertificateTemplate.Usage {
    var usage: CertificateTemplate.Usage = []
    if flags & 1 != 0 { usage.insert(.signature) }
    if flags & encryption != 0 { usage.insert(.keyEncipherment) }
    return usage.isEmpty ? .signature : usage
  }

  private static func template(
    _ subject: CertificateSubject, _ validity: ClosedRange<Int>, _ device: String
  ) -> CertificateTemplate {
    let names = subject.names.map { names in
      names.map { CertificateTemplate.Attribute(type: $0.type, value: $0.value) }
    }.filter { !$0.isEmpty }
    var template = CertificateTemplate(
      subject: names.isEmpty ? [[.init(type: "CN", value: device)]] : names,
      validity: validity)
    template.alternativeNames = [
      subject.rfc822Name.map { .mail($0) }, subject.dnsName.map { .host($0) },
      subject.uniformResourceIdentifier.map { .uri($0) },
      subject.ntPrincipalName.map { .principal($0) },
    ].compactMap(\.self)
    return template
  }
}

extension PrivateKey.Kind {
  fileprivate init(_ key: ACMEEnrollment.Key) {
    self =
      switch key {
      case .rsa(let bits): .rsa(bits)
      case .p256: .p256
      case .p384: .p384
      case .p521: .p521
      }
  }
}

// MARK: - Database

/// Stores generated keys and their certificates as secrets.
extension DeviceDatabase {
  /// The prefix of the storage names of apps' identities.
  private static let prefix = "managedIdentity "
  private static let certificatePrefix = "certificate of "

  /// Returns the identity stored under the name `place`; nil if there is none.
  func identity(
    at place: String
  ) throws(HostError) -> (key: [UInt8], certificate: [UInt8])? {
    try access { database in
      let sql = "SELECT value FROM secret WHERE name = ?"
      guard let key = try database.row(sql, [place]),
        let certificate = try database.row(sql, [Self.certificatePrefix + place])
      else { return nil }
      return (key.bytes("value"), certificate.bytes("value"))
    }
  }

  func save(
    _ identity: (key: [UInt8], certificate: [UInt8]), at place: String
  ) throws(HostError) {
    try access { database in
      try database.run("INSERT INTO secret VALUES (?, ?)", [place, Data(identity.key)])
      try database.run(
        "INSERT INTO secret VALUES (?, ?)",
        [Self.certificatePrefix + place, Data(identity.certificate)])
    }
  }

  /// Deletes the apps' identities whose storage names are not in `places`. Does not delete the certificate authority.
  ///
  /// - Returns: Whether any identity was deleted.
  func keepIdentities(at places: Set<String>) throws(HostError) -> Bool {
    let kept = places.union(places.map { Self.certificatePrefix + $0 })
    return try access { database in
      let names = try database.rows("SELECT name FROM secret").map { row -> String in row["name"] }
      let outdated = names.filter { name in
        [Self.prefix, Self.certificatePrefix + Self.prefix].contains { name.hasPrefix($0) }
          && !kept.contains(name)
      }
      for name in outdated { try database.run("DELETE FROM secret WHERE name = ?", [name]) }
      return !outdated.isEmpty
    }
  }
}
