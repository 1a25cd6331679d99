import Declarations
import Foundation
import Model
import Secrets
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// Landmarks fetches its resources from a real server, with a key that the device has.
  @Suite(.serverPrograms) struct MutualTLSTests {
    /// - Returns: what Landmarks says of it.
    private func fetch(
      _ identity: (type: String, json: String)?, from version: ServerDescription.Version = .any,
      _ lab: TLSLab
    ) throws -> String {
      try lab.device.servers.start(lab.server(version))
      try lab.device.management.apply(TLSLab.declarations(identity))
      lab.lab.launch(["landmarks"])
      return lab.status()
    }

    @Test(
      arguments: [TLSLab.acme(256), TLSLab.acme(384), TLSLab.acme(521), TLSLab.scep],
      [ServerDescription.Version.tls12, .tls13])
    func `the device's key opens the server`(
      identity: (type: String, json: String), version: ServerDescription.Version
    ) throws {
      let lab = try TLSLab()
      let status = try fetch(identity, from: version, lab)
      #expect(status == "fetched\n")
      #expect(lab.file("resources") == TLSLab.content)
      #expect(lab.requests() == ["GET /landmarks 200 CN=phone"])
      // It was the device that signed.
      let signed = lab.lab.decisions.filter { $0.operation == .managedSignature }
      #expect(signed.map { $0.verdict.reasons.map(\.rule) }.contains([.managedAppProvides]))
      lab.lab.close()
    }

    private static let openssl = "/usr/bin/openssl"
    private static let isOpenSSLThere = FileManager.default.isExecutableFile(atPath: openssl)

    @Test(.enabled(if: isOpenSSLThere, "there is no /usr/bin/openssl"))
    func `so does one of the administrator's file`() throws {
      let lab = try TLSLab()
      let key = try PrivateKey(.rsa(2048))
      var template = CertificateTemplate(
        subject: [[.init(type: "CN", value: "file")]],
        validity: (TLSLab.now - 60)...(TLSLab.now + 3600))
      template.extendedUsage = ["1.3.6.1.5.5.7.3.2"]
      let certificate = try lab.device.management.managedIdentities.authority().issue(
        template, for: key)
      let file = try Self.file(certificate, key, lab.workspace)
      let status = try fetch(TLSLab.pkcs12(file), lab)
      #expect(status == "fetched\n")
      #expect(lab.requests() == ["GET /landmarks 200 CN=file"])
      lab.lab.close()
    }

    /// A PKCS #12 file as Base64.
    private static func file(
      _ certificate: Certificate, _ key: PrivateKey, _ workspace: Workspace
    ) throws -> String {
      let pem = { (name: String, der: [UInt8]) in
        let text = Data(der).base64EncodedString(options: [.lineLength64Characters])
        return "-----BEGIN \(name)-----\n\(text)\n-----END \(name)-----\n"
      }
      try workspace.write(
        pem("RSA PRIVATE KEY", key.der) + pem("CERTIFICATE", certificate.der), to: "own.pem")
      let process = try StartedProgram(
        openssl,
        [
          "pkcs12", "-export", "-in", workspace.path("own.pem"), "-out", workspace.path("own.p12"),
          "-passout", "pass:\(PKCS12Samples.password)",
        ])
      process.waitUntilExit()
      return try Data(contentsOf: URL(fileURLWithPath: workspace.path("own.p12")))
        .base64EncodedString()
    }

    // MARK: who does not come in

    @Test func `who has no identity is refused, and comes in where none is asked for`() throws {
      let lab = try TLSLab()
      let status = try fetch(nil, lab)
      #expect(status.hasPrefix("failed: "))
      #expect(lab.requests() == ["refused"])
      #expect(lab.file("resources") == "")
      lab.lab.close()

      let open = try TLSLab()
      try open.device.servers.start(open.server(clients: .none))
      try open.device.management.apply(TLSLab.declarations(nil))
      open.lab.launch(["landmarks"])
      #expect(open.status() == "fetched\n")
      #expect(open.requests() == ["GET /landmarks 200 nobody"])
      open.lab.close()
    }

    @Test(arguments: [ServerDescription.Version.tls12, .tls13])
    func `an identity of another authority is refused`(
      version: ServerDescription.Version
    ) throws {
      let lab = try TLSLab()
      let status = try fetch(TLSLab.pkcs12(PKCS12Samples.valid), from: version, lab)
      #expect(status.hasPrefix("failed: "))
      #expect(lab.requests() == ["refused"])
      lab.lab.close()
    }

    @Test func `an identity that has expired is refused`() throws {
      // It was issued for a year, two years ago.
      let lab = try TLSLab(startTime: TLSLab.now - 2 * 31_536_000)
      try lab.device.management.apply(TLSLab.declarations(TLSLab.acme(256)))
      let secret = try #require(lab.device.management.state.delivery.contents.values.first)
      let recipient = try #require(lab.device.management.state.delivery.contents.keys.first)
      let identity = try lab.device.management.managedIdentities.identity(
        secret.identities[0], of: recipient)
      lab.device.advanceClock(by: 2 * 31_536_000)
      try lab.device.servers.start(lab.server())
      #expect(identity.certificates[0].fault(at: TLSLab.now) != nil)
      lab.lab.launch(["landmarks"])
      #expect(lab.status().hasPrefix("failed: "))
      #expect(lab.requests() == ["refused"])
      lab.lab.close()
    }

    @Test func `a server that another organisation vouches for is not believed`() throws {
      let lab = try TLSLab()
      try lab.device.servers.start(lab.server())
      let other = try CertificateAuthority(
        named: "Other", validity: (TLSLab.now - 60)...(TLSLab.now + 3600))
      let text = Data(other.certificate.der).base64EncodedString()
      try "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".write(
        toFile: lab.device.storage.folders.organizationCertificate, atomically: true,
        encoding: .utf8)
      try lab.device.management.apply(TLSLab.declarations(TLSLab.acme(256)))
      lab.lab.launch(["landmarks"])
      #expect(lab.status().contains("CERTIFICATE_VERIFY_FAILED"))
      #expect(lab.requests() == ["refused"])
      lab.lab.close()
    }

    @Test func `a key that goes in the middle of a handshake is an error, and no waiting`() throws {
      let lab = try TLSLab()
      try lab.device.servers.start(lab.server())
      let server = try #require(lab.device.servers.running.first)
      // It takes connections, and answers nobody.
      server.signal(SIGSTOP)
      try lab.device.management.apply(TLSLab.declarations(TLSLab.acme(256)))
      lab.lab.launch(["landmarks"])
      lab.lab.wait("the identity") {
        lab.lab.decisions.contains { $0.operation == .managedIdentity }
      }
      lab.lab.wait("the greeting to lie unread at the server") {
        Self.hasUnread(port: server.listeningPort, of: server.pid)
      }
      try lab.device.management.apply(TLSLab.declarations(nil))
      server.signal(SIGCONT)
      #expect(lab.status().hasPrefix("failed: "))
      lab.lab.wait("a question for a signature") {
        lab.lab.decisions.contains {
          $0.operation == .managedSignature
            && $0.verdict.reasons.map(\.rule) == [.managedAppNoSuchIdentifier]
        }
      }
      try lab.lab.expectService()
      lab.lab.close()
    }

    /// Whether a connection to the port in a process's network has bytes that nobody has read (proc_net(5)).
    private static func hasUnread(port: Int?, of process: Int32?) -> Bool {
      guard let port, let process,
        let table = try? FileHandle(forReadingAtPath: "/proc/\(process)/net/tcp")?.readToEnd()
      else { return false }
      let address = String(format: "0100007F:%04X", port)
      return String(decoding: table, as: UTF8.self).split(separator: "\n").contains { line in
        let fields = line.split(separator: " ")
        return fields.count > 4 && fields[1] == address && fields[3] == "01"
          && !fields[4].hasSuffix(":00000000")
      }
    }

    // MARK: where the key is

    /// The numbers that a private key is made of, from its DER: of an elliptic one the secret number (RFC 5915), of RSA
    /// the exponent and the primes (RFC 8017).
    private static func secrets(of key: PrivateKey) -> [Data] {
      let der = key.der
      guard key.isRSA else { return [Data(der[7..<39])] }
      var numbers: [Data] = []
      // Behind tag and length, two bytes of which say how long the rest is.
      var place = 4
      while place + 4 < der.count, numbers.count < 6 {
        var length = Int(der[place + 1])
        var start = place + 2
        if length > 0x80 {
          let more = length - 0x80
          length = der[start..<start + more].reduce(0) { $0 << 8 | Int($1) }
          start += more
        }
        numbers.append(Data(der[start..<start + length].drop { $0 == 0 }))
        place = start + length
      }
      // Version, modulus, public exponent, private exponent, two primes.
      return Array(numbers[3...5])
    }

    @Test(arguments: [TLSLab.acme(256), TLSLab.scep])
    func `the key is nowhere in the app`(identity: (type: String, json: String)) throws {
      let lab = try TLSLab()
      let status = try fetch(identity, lab)
      #expect(status == "fetched\n")
      let known = try #require(lab.identity)
      let secrets = Self.secrets(of: known.key)
      #expect(secrets.count == (known.key.isRSA ? 3 : 1))
      #expect(secrets.allSatisfy { $0.count >= 31 })
      let pid = try #require(lab.device.guests.processIdentifier(of: "landmarks"))
      let memory = try ProcessMemory(of: pid)
      // What the app was given is found, and so would the key be.
      #expect(try memory.contains(Data(known.certificates[0].der)))
      for secret in secrets { #expect(try !memory.contains(secret)) }
      let container = lab.device.containerPath(of: "landmarks")
      for path in FileManager.default.subpaths(atPath: container) ?? [] {
        let content = FileManager.default.contents(atPath: container + "/" + path)
        for secret in secrets { #expect(content?.range(of: secret) == nil) }
      }
      lab.lab.close()
    }

    @Test(arguments: [PrivateKey.Kind.p256, .rsa(2048)])
    func `what is searched for is the key`(kind: PrivateKey.Kind) throws {
      let key = try PrivateKey(kind)
      let secrets = Self.secrets(of: key)
      // The private numbers make up the key, and differ from key to key.
      #expect(secrets.allSatisfy { Data(key.der).range(of: $0) != nil })
      #expect(Set(secrets).isDisjoint(with: Self.secrets(of: try PrivateKey(kind))))
    }
  }
}
