internal import Diagnostics
internal import Encodings
internal import Secrets
package import Simulation

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
