import Declarations
import Foundation
import Model
import Policy
import Secrets
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// Tests that Landmarks fetches its resources from a real server, with a key that only the device
  /// has.
  @Suite(.serverPrograms) struct MutualTLSTests {
    @Test(
      arguments: [TLSLab.acme(256), TLSLab.acme(384), TLSLab.acme(521), TLSLab.scep],
      [ServerDescription.Version.tls12, .tls13])
    func `an identity issued by the device authenticates the app at the server`(
      identity: (type: String, json: String), version: ServerDescription.Version
    ) throws {
      let lab = try TLSLab()
      try lab.startServer(version)
      #expect(try lab.fetch(identity) == "fetched\n")
      #expect(lab.file("resources") == TLSLab.content)
      #expect(lab.requests() == ["GET /landmarks 200 CN=phone"])
      // The device created the signature.
      let signed = lab.lab.decisions.filter { $0.operation == .managedSignature }
      #expect(signed.map { $0.verdict.reasons.map(\.rule) }.contains([.managedAppProvides]))
      lab.close()
    }

    private static let openssl = "/usr/bin/openssl"
    private static let isOpenSSLThere = FileManager.default.isExecutableFile(atPath: openssl)

    @Test(.enabled(if: isOpenSSLThere, "there is no /usr/bin/openssl"))
    func `an identity from the administrator's file authenticates the app at the server`() throws {
      let lab = try TLSLab()
      let key = try PrivateKey(.rsa(2048))
      var template = CertificateTemplate(
        subject: [[.init(type: "CN", value: "file")]],
        validity: (TLSLab.now - 60)...(TLSLab.now + 3600))
      template.extendedUsage = ["1.3.6.1.5.5.7.3.2"]
      let certificate = try lab.device.management.managedIdentities.authority().issue(
        template, for: key)
      let file = try Self.file(certificate, key, lab.workspace)
      try lab.startServer()
      #expect(try lab.fetch(TLSLab.pkcs12(file)) == "fetched\n")
      #expect(lab.requests() == ["GET /landmarks 200 CN=file"])
      lab.close()
    }

    /// Returns a PKCS #12 file as Base64.
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

    // MARK: Rejected clients

    @Test func `a client without an identity is rejected, unless the server requires none`() throws
    {
      let lab = try TLSLab()
      try lab.startServer()
      #expect(try lab.fetch(nil).hasPrefix("failed: "))
      #expect(lab.requests() == ["refused"])
      #expect(lab.file("resources") == "")
      lab.close()

      let open = try TLSLab()
      try open.startServer(clients: .none)
      #expect(try open.fetch(nil) == "fetched\n")
      #expect(open.requests() == ["GET /landmarks 200 nobody"])
      open.close()
    }

    @Test(arguments: [ServerDescription.Version.tls12, .tls13])
    func `the server rejects an identity issued by another authority`(
      version: ServerDescription.Version
    ) throws {
      let lab = try TLSLab()
      try lab.startServer(version)
      #expect(try lab.fetch(TLSLab.pkcs12(PKCS12Samples.valid)).hasPrefix("failed: "))
      #expect(lab.requests() == ["refused"])
      lab.close()
    }

    @Test func `the server rejects an expired identity`() throws {
      // The certificate was issued for a year, two years ago.
      let lab = try TLSLab(startTime: TLSLab.now - 2 * 31_536_000)
      try lab.device.management.apply(TLSLab.declarations(TLSLab.acme(256)))
      let secret = try #require(lab.device.management.state.delivery.contents.values.first)
      let recipient = try #require(lab.device.management.state.delivery.contents.keys.first)
      let identity = try lab.device.management.managedIdentities.identity(
        secret.identities[0], of: recipient)
      lab.device.advanceClock(by: 2 * 31_536_000)
      try lab.startServer()
      #expect(identity.certificates[0].invalidReason(at: TLSLab.now) != nil)
      lab.lab.launch(["landmarks"])
      #expect(lab.status().hasPrefix("failed: "))
      #expect(lab.requests() == ["refused"])
      lab.close()
    }

    @Test func `an app rejects a server certificate of another organisation's authority`() throws {
      let lab = try TLSLab()
      try lab.startServer()
      let other = try CertificateAuthority(
        named: "Other", validity: (TLSLab.now - 60)...(TLSLab.now + 3600))
      let text = Data(other.certificate.der).base64EncodedString()
      try "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".write(
        toFile: lab.device.storage.folders.organizationCertificate, atomically: true,
        encoding: .utf8)
      #expect(try lab.fetch(TLSLab.acme(256)).contains("CERTIFICATE_VERIFY_FAILED"))
      #expect(lab.requests() == ["refused"])
      lab.close()
    }

    @Test func `a key that is removed during the handshake causes an error, not a hang`() throws {
      let lab = try TLSLab()
      try lab.startServer()
      let server = try #require(lab.device.servers.running.first)
      // The server accepts connections and never answers.
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
      lab.close()
    }

    /// Returns whether a connection to the port in a process's network has unread bytes
    /// (proc_net(5)).
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

    // MARK: Location of the key

    /// Returns the secret numbers of a private key, from its DER form. These are the secret number
    /// of an elliptic-curve key (RFC 5915), or the exponent and the primes of an RSA key (RFC
    /// 8017).
    private static func secrets(of key: PrivateKey) -> [Data] {
      let der = key.der
      guard key.isRSA else { return [Data(der[7..<39])] }
      var numbers: [Data] = []
      // The number is after the tag and a length of two bytes.
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
      // The numbers are version, modulus, public exponent, private exponent and two primes.
      return Array(numbers[3...5])
    }

    @Test(arguments: [TLSLab.acme(256), TLSLab.scep])
    func `the private key is neither in the app's memory nor in its files`(
      identity: (type: String, json: String)
    ) throws {
      let lab = try TLSLab()
      try lab.startServer()
      #expect(try lab.fetch(identity) == "fetched\n")
      let known = try #require(lab.identity)
      let secrets = Self.secrets(of: known.key)
      #expect(secrets.count == (known.key.isRSA ? 3 : 1))
      #expect(secrets.allSatisfy { $0.count >= 31 })
      let pid = try #require(lab.device.guests.processIdentifier(of: "landmarks"))
      let memory = try ProcessMemory(of: pid)
      // The search finds the app's own data, so it would also find the key.
      #expect(try memory.contains(Data(known.certificates[0].der)))
      for secret in secrets { #expect(try !memory.contains(secret)) }
      let container = lab.device.containerPath(of: "landmarks")
      for path in FileManager.default.subpaths(atPath: container) ?? [] {
        let content = FileManager.default.contents(atPath: container + "/" + path)
        for secret in secrets { #expect(content?.range(of: secret) == nil) }
      }
      lab.close()
    }

    @Test(arguments: [PrivateKey.Kind.p256, .rsa(2048)])
    func `the memory search looks for bytes that only the searched private key contains`(
      kind: PrivateKey.Kind
    ) throws {
      let key = try PrivateKey(kind)
      let secrets = Self.secrets(of: key)
      // The secret numbers occur in the key, and differ between keys.
      #expect(secrets.allSatisfy { Data(key.der).range(of: $0) != nil })
      #expect(Set(secrets).isDisjoint(with: Self.secrets(of: try PrivateKey(kind))))
    }
  }
}

/// A device with the example Landmarks and a real server. Its clock is the machine's.
struct TLSLab {
  let lab: Lab
  let workspace: Workspace
  var device: Device { lab.device }

  /// The folder of `swift build` that contains programs linked to Swift's libraries, like this one.
  static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path
  static let now = Int(Date().timeIntervalSince1970)
  static let content = "what the server has"

  /// Creates a device.
  ///
  /// - Parameter adjust: Changes the device's configuration.
  init(startTime: Int = Self.now) throws {
    workspace = try Workspace()
    try workspace.write(Self.content, to: "served/landmarks")
    lab = try Lab {
      $0.state.isMDMEnrolled = true
      $0.startTime = startTime
      $0.programs.server = "\(Self.programs)/sluice-server"
    }
    var app = AppDescription(
      name: "landmarks", bundleID: "com.contoso.landmarks", team: "CONTOSO123",
      program: .executable(path: "\(Self.programs)/landmarks", arguments: []),
      usesDispatch: true)
    app.servers = ["resources"]
    try device.install(app)
  }

  func startServer(
    _ version: ServerDescription.Version = .any,
    clients: ServerDescription.ClientCertificate = .required
  ) throws {
    try device.servers.start(
      ServerDescription(
        name: "resources", host: "resources.contoso.com", folder: workspace.path("served"),
        clientCertificate: clients, version: version))
  }

  /// Declares an identity and a resource to fetch, and launches Landmarks.
  ///
  /// - Returns: The status of Landmarks.
  func fetch(
    _ identity: (type: String, json: String)?,
    place: String = "https://resources.contoso.com/landmarks"
  ) throws -> String {
    try device.management.apply(Self.declarations(identity, place: place))
    lab.launch(["landmarks"])
    return status()
  }

  func close(_ location: SourceLocation = #_sourceLocation) { lab.close(location) }

  /// Returns the declarations of Landmarks' administrator.
  ///
  /// - Parameters:
  /// - identity: The type of an asset, and the JSON of its data; nil for none.
  /// - place: The resource to fetch.
  static func declarations(
    _ identity: (type: String, json: String)?, revision: String = "1",
    place: String = "https://resources.contoso.com/landmarks"
  ) -> DeclarationSet {
    let reference = #"{"Identifier": "device", "AssetReference": "identity"}"#
    let identities = identity == nil ? "[]" : "[\(reference)]"
    let asset = """
      {"Type": "com.apple.asset.credential.\(identity?.type ?? "acme")", "Identifier": "identity",
      "ServerToken": "\(revision)", "Payload": {"Reference": {"DataURL": "identity.json",
      "ContentType": "application/json"}}}
      """
    let declarations = """
      [{"Type": "com.apple.activation.simple", "Identifier": "on", "ServerToken": "1",
      "Payload": {"StandardConfigurations": ["landmarks"]}},
      {"Type": "com.apple.configuration.app.managed", "Identifier": "landmarks",
      "ServerToken": "1", "Payload": {"BundleID": "com.contoso.landmarks",
      "AppConfig": {"DataAssetReference": "list", "Identities": \(identities)}}},
      {"Type": "com.apple.asset.data", "Identifier": "list", "ServerToken": "1",
      "Payload": {"Reference": {"DataURL": "list.plist", "ContentType": "application/plist"}}}
      \(identity == nil ? "" : "," + asset)]
      """
    var files = [
      "all.json": declarations,
      "list.plist": """
      <?xml version="1.0"?><plist version="1.0"><dict><key>resources</key>
      <string>\(place)</string></dict></plist>
      """,
    ]
    files["identity.json"] = identity?.json
    return DeclarationSet(
      DeclarationFolder(name: "folder", files: files.mapValues { Array($0.utf8) }))
  }

  static func acme(_ bits: Int) -> (type: String, json: String) {
    (
      "acme",
      """
      {"DirectoryURL": "https://ca.contoso.com", "ClientIdentifier": "c", "KeySize": \(bits),
      "KeyType": "ECSECPrimeRandom", "HardwareBound": \(bits != 521), "Subject": [[["CN", "phone"]]]}
      """
    )
  }

  static let scep = (
    type: "scep",
    json: #"{"URL": "https://ca.contoso.com", "Keysize": 2048, "Subject": [[["CN", "phone"]]]}"#
  )

  static func pkcs12(_ file: String) -> (type: String, json: String) {
    let text = file.filter { !$0.isWhitespace }
    return ("identity", #"{"Password": "\#(PKCS12Samples.password)", "Identity": "\#(text)"}"#)
  }

  // MARK: Results

  func file(_ name: String) -> String? {
    lab.file(name, of: "landmarks")
  }

  /// Waits until Landmarks has fetched the resource or failed.
  ///
  /// - Returns: Its status text.
  func status() -> String {
    lab.wait("Landmarks") { file("resources.status") != nil }
    return file("resources.status") ?? ""
  }

  /// Waits for a request to the server.
  func requests() -> [String] {
    var found: [String]?
    guard device.servers.nextRequests(of: "resources", { found = $0 }) else { return ["no server"] }
    lab.wait("a request") { found != nil }
    return found ?? []
  }

  /// The device's key for Landmarks.
  var identity: CertifiedKey? { device.management.managedIdentities.identities.values.first }
}

/// The readable memory of another process.
struct ProcessMemory {
  private let path: String
  private let regions: [Range<UInt64>]

  private struct NotReadable: Error {}

  init(of pid: Int32) throws {
    path = "/proc/\(pid)/mem"
    let table = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(pid)/maps"))
    let maps = String(decoding: try table.readToEnd() ?? Data(), as: UTF8.self)
    regions = maps.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard words[1].hasPrefix("r"), bounds.count == 2 else { return nil }
      return bounds[0]..<bounds[1]
    }
  }

  /// Returns whether `bytes` occur in the memory, in either order. Large integers have their lowest
  /// word first.
  func contains(_ bytes: Data) throws -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw NotReadable() }
    defer { close(descriptor) }
    let backwards = Data(bytes.reversed())
    return regions.contains { Self.contains(bytes, or: backwards, in: $0, of: descriptor) }
  }

  private static func contains(
    _ bytes: Data, or others: Data, in region: Range<UInt64>, of descriptor: Int32
  ) -> Bool {
    var piece = Data(count: 4 << 20)
    var start = region.lowerBound
    while start < region.upperBound {
      let size = min(Int(region.upperBound - start), piece.count)
      let count = piece.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, size, off_t(start))
      }
      guard count > 0 else {
        // The page is not readable.
        start += 4096
        continue
      }
      let found = piece.prefix(count)
      if found.range(of: bytes) != nil || found.range(of: others) != nil { return true }
      // Data at the boundary of two pieces is also in the next piece.
      let isLast = start + UInt64(count) >= region.upperBound || count <= bytes.count
      start += UInt64(isLast ? count : count - bytes.count)
    }
    return false
  }
}
