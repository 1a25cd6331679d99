internal import Encodings
internal import Foundation
internal import Host
internal import Output
internal import Secrets
package import Simulation

/// The files by which a fleet's processes find each other, in the folder of a case that all hosts share.
struct FleetFiles {
  /// The folder of the case.
  private let folder: String

  init(_ folder: String) { self.folder = folder }

  /// The path of the program that connects hosts; not every build has it.
  static func link(of programs: DeviceConfiguration.Programs) -> String {
    "\(programs.folder)/sluice-link"
  }

  /// No device is called so.
  private var hosts: String { "\(folder)/.hosts" }
  private func identityPath(_ number: Int) -> String { "\(hosts)/\(number).tls" }

  /// The path of what hosts write to standard error.
  var log: String { "\(hosts)/log" }

  /// Writes what each host is known by, where only this user can read it.
  ///
  /// - Throws: ``RunError`` where that cannot be written.
  func write(_ identities: [LinkIdentity]) throws(RunError) {
    let files = FileManager.default
    let isPrivate: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    guard
      (try? files.createDirectory(
        atPath: hosts, withIntermediateDirectories: true, attributes: isPrivate)) != nil
    else { throw RunError(unwritable: hosts, errno) }
    // The first is the coordinator's own.
    for (number, identity) in identities.enumerated().dropFirst() {
      let path = identityPath(number)
      guard
        files.createFile(
          atPath: path, contents: Data(identity.settings.utf8),
          attributes: [.posixPermissions: 0o600])
      else { throw RunError(unwritable: path, errno) }
    }
  }

  /// What a host is known by. It is read once: the file is removed.
  ///
  /// - Throws: ``RunError`` where there is no such host.
  func identity(of number: Int) throws(RunError) -> LinkIdentity {
    let identity = LinkIdentity(settings: try InputFile.text(identityPath(number)))
    unlink(identityPath(number))
    return identity
  }

  /// The last line that a host wrote to standard error; nil: it wrote none.
  var lastWords: String? {
    guard let data = FileManager.default.contents(atPath: log) else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").last.map(String.init)
  }

  /// Removes what hosts have not read that they are known by.
  func forgetIdentities(_ count: Int) {
    for number in 0..<count { unlink(identityPath(number)) }
  }

  /// Removes what is of no use once the hosts have ended.
  func remove() { try? FileManager.default.removeItem(atPath: hosts) }
}

// MARK: - Identities

/// What a process of a fleet is known by to the others, as settings of its link.
package struct LinkIdentity {
  /// Lines as `sluice-link` reads them, without the address that it listens at.
  package let settings: String

  /// What was written down.
  package init(settings: String) { self.settings = settings }

  /// Makes the identities of all processes of a fleet: certificates of an authority of their own, whose key is forgotten.
  ///
  /// - Parameters:
  ///   - count: the number of processes, of which the first is the coordinator.
  ///   - organization: the name of the organisation, in the authority's certificate.
  ///   - time: what the machine's clock shows, in seconds since 1970-01-01T00:00:00Z.
  /// - Throws: ``RunError`` where no certificate can be made.
  package static func all(
    _ count: Int, of organization: String, at time: Int
  ) throws(RunError) -> [LinkIdentity] {
    do throws(SecretError) {
      // Clocks of machines are not the same.
      let validity = (time - 86_400)...(time + 30 * 86_400)
      let authority = try CertificateAuthority(named: organization, validity: validity)
      var keys: [PrivateKey] = []
      var certificates: [Certificate] = []
      for number in 0..<count {
        let key = try PrivateKey(.p256)
        var template = CertificateTemplate(
          subject: [[.init(type: "CN", value: "\(organization) \(number)")]], validity: validity)
        template.extendedUsage = usages
        keys.append(key)
        certificates.append(try authority.issue(template, for: key))
      }
      let peers = certificates.enumerated().map {
        "peer \($0.offset) \(Hexadecimal.text($0.element.der))\n"
      }.joined()
      return zip(keys, certificates).map { key, certificate in
        LinkIdentity(
          settings: """
            certificate \(Hexadecimal.text(certificate.der))
            key \(Hexadecimal.text(key.der))
            authority \(Hexadecimal.text(authority.certificate.der))
            \(peers)
            """)
      }
    } catch {
      throw RunError(
        .command, "the hosts get no certificates: \(error)", rule: "fleet", fault: .own)
    }
  }

  /// `id-kp-serverAuth` and `id-kp-clientAuth` (RFC 5280).
  private static let usages = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]
}
