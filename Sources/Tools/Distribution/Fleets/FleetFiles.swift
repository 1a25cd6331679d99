internal import Encodings
internal import Foundation
internal import Host
internal import Output
internal import Secrets
package import Simulation

/// The files with which a fleet's processes find each other. They are in the case's shared folder.
struct FleetFiles {
  private let folder: String

  init(_ folder: String) { self.folder = folder }

  /// Returns the path of `sluice-link`, which connects hosts. Some builds do not include it.
  static func link(of programs: DeviceConfiguration.Programs) -> String {
    "\(programs.folder)/sluice-link"
  }

  /// The folder that contains the fleet's files. Its name cannot be the name of a device.
  private var hosts: String { "\(folder)/.hosts" }
  private func identityPath(_ number: Int) -> String { "\(hosts)/\(number).tls" }

  /// The path of the log, which contains the hosts' standard error.
  var log: String { "\(hosts)/log" }

  /// Writes the hosts' identities. Only the current user can access the files.
  ///
  /// - Throws: ``RunError`` if a file cannot be written.
  func write(_ identities: [LinkIdentity]) throws(RunError) {
    let files = FileManager.default
    let isPrivate: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    guard
      (try? files.createDirectory(
        atPath: hosts, withIntermediateDirectories: true, attributes: isPrivate)) != nil
    else { throw RunError(unwritable: hosts, errno) }
    // The first identity belongs to the coordinator itself.
    for (number, identity) in identities.enumerated().dropFirst() {
      let path = identityPath(number)
      guard
        files.createFile(
          atPath: path, contents: Data(identity.settings.utf8),
          attributes: [.posixPermissions: 0o600])
      else { throw RunError(unwritable: path, errno) }
    }
  }

  /// Reads a host's identity, and removes its file.
  ///
  /// - Throws: ``RunError`` if the file cannot be read.
  func identity(of number: Int) throws(RunError) -> LinkIdentity {
    let identity = LinkIdentity(settings: try InputFile.text(identityPath(number)))
    unlink(identityPath(number))
    return identity
  }

  /// The last line that a host has written to standard error; nil if there is none.
  var lastWords: String? { lastLine(of: log) }

  /// Removes the files of identities that hosts have not read.
  func forgetIdentities(_ count: Int) {
    for number in 0..<count { unlink(identityPath(number)) }
  }

  /// Removes the files, which are not needed after the hosts have ended.
  func remove() { try? FileManager.default.removeItem(atPath: hosts) }
}

// MARK: - Identities

/// The TLS identity of a process in a fleet, as settings for its link.
package struct LinkIdentity {
  /// The settings as lines for `sluice-link`, without the listening address.
  package let settings: String

  package init(settings: String) { self.settings = settings }

  /// Creates identities for all processes of a fleet. A new authority signs their certificates. The authority's key is
  /// then discarded.
  ///
  /// - Parameters:
  ///   - count: The number of processes, including the coordinator, which is the first.
  ///   - organization: The name of the organisation in the authority's certificate.
  ///   - time: The machine's time, in seconds since 1970-01-01T00:00:00Z.
  /// - Throws: ``RunError`` if a certificate cannot be created.
  package static func all(
    _ count: Int, of organization: String, at time: Int
  ) throws(RunError) -> [LinkIdentity] {
    do throws(SecretError) {
      // The validity allows for different clocks on the machines.
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
        .command, "cannot issue certificates for the hosts: \(error)", rule: "fleet", origin: .own)
    }
  }

  /// The key purposes `id-kp-serverAuth` and `id-kp-clientAuth` (RFC 5280).
  private static let usages = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]
}
