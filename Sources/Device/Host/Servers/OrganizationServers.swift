internal import Encodings
internal import EventLoop
internal import Foundation
internal import Secrets

/// Manages the organisation's servers. Each server is a real process that ends with the device.
package final class OrganizationServers: HostService {
  /// The started servers, in the order of their start. A server that has exited stays in the list.
  private(set) var running: [RunningServer] = []
  private let configuration: DeviceConfiguration
  private let zygotes: Zygotes
  private let loop: EventLoop
  private let management: ManagementAgent

  init(
    _ core: ServiceCore, _ configuration: DeviceConfiguration, zygotes: Zygotes, loop: EventLoop,
    management: ManagementAgent
  ) {
    self.configuration = configuration
    self.zygotes = zygotes
    self.loop = loop
    self.management = management
    super.init(core)
  }

  /// Starts a server and waits until it accepts connections. If the start fails, all servers are stopped, so an
  /// organisation has either all of its servers or none.
  ///
  /// The organisation's authority issues a certificate for the server's host name. The certificate is valid for a year
  /// by the device's clock.
  ///
  /// - Throws: ``HostError`` if the folder or the server's program does not exist, the certificate cannot be issued, or
  ///   the server does not start within a minute.
  package func start(_ server: ServerDescription) throws(HostError) {
    do throws(HostError) {
      try Self.check(folderOf: server)
      try checkServerProgram()
      if running.isEmpty { try publishOrganizationCertificate() }
      try launch(server, settings: settings(of: server))
    } catch {
      stopAll()
      throw error
    }
  }

  private func launch(_ server: ServerDescription, settings: String) throws(HostError) {
    let reason: String
    do {
      let process = try RunningServer(
        server, .executableAmong(try zygotes.launchOfServers(), configuration.programs.server),
        arguments: arguments(for: server), settings: settings, filter: .of(.server), on: loop
      ) { [unowned self] in audit.trace(server.name, $0) }
      running.append(process)
      try wait(for: process)
      guard process.listeningPort == nil else { return }
      reason = process.failure ?? "it printed nothing"
    } catch {
      reason = "\(error)"
    }
    throw HostError(.program, "the server `\(server.name)` does not start: \(reason)")
  }

  /// The timeout for a server's start, in milliseconds of real time. It takes effect only if a server hangs, because
  /// the device notices an exit immediately. It is long because on a busy machine, the start may take seconds.
  private static let serverPatience: UInt64 = 60_000

  private func wait(for server: RunningServer) throws(EventLoopError) {
    var isLate = false
    let timer = try Timer(on: loop) { isLate = true }
    timer.start(after: Self.serverPatience)
    loop.run { server.isSettled || isLate }
    timer.close()
  }

  /// Kills all servers and waits for their exit.
  func stopAll() {
    for server in running { server.signal(SIGKILL) }
    loop.run { running.allSatisfy { !$0.isRunning } }
    running.removeAll()
  }

  /// Calls `body` with the requests that a server has received since the previous call of this function, at most the
  /// latest 1,000. If there are none, calls `body` after the next request. A text describes each request, such as `GET
  /// /map 200 CN=phone,O=Contoso` or `refused`.
  ///
  /// - Returns: Whether the server is running. If not, `body` is not called.
  package func nextRequests(
    of name: String, _ body: @escaping ([String]) -> Void
  ) -> Bool {
    guard let server = running.first(where: { $0.description.name == name }),
      server.isRunning
    else { return false }
    server.next(body)
    return true
  }

  // MARK: Server configuration

  private func checkServerProgram() throws(HostError) {
    do throws(HostError) {
      try ProgramCheck.check(executable: configuration.programs.server)
    } catch {
      throw HostError(.program, "\(error); run `make tls`")
    }
  }

  private static func check(folderOf server: ServerDescription) throws(HostError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: server.folder, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw HostError(
        .folder, "the server `\(server.name)` has no folder `\(server.folder)` to serve")
    }
  }

  private func arguments(for server: ServerDescription) -> [String] {
    let executable = configuration.programs.server
    let limits = configuration.limits
    return [
      executable, "--parent", "\(getpid())", "--read", server.folder, "--bind", "0",
      // Each of the 128 connections may have a file.
      "--memory", "\(limits.memory)", "--file-size", "\(limits.fileSize)", "--descriptors", "512",
      "--filter-calls",
    ] + (configuration.requiresConfinement ? ["--require-confinement"] : [])
      + ["--", server.folder]
  }

  /// The key purpose `id-kp-serverAuth` (RFC 5280).
  private static let serverAuthentication = "1.3.6.1.5.5.7.3.1"

  private func settings(of server: ServerDescription) throws(HostError) -> String {
    do throws(SecretError) {
      let authority = try management.managedIdentities.authority()
      let key = try PrivateKey(.p256)
      var template = CertificateTemplate(
        subject: [[.init(type: "CN", value: server.host)]],
        validity: (clock.now - 300)...(clock.now + 31_536_000))
      template.alternativeNames = [.host(server.host)]
      template.extendedUsage = [Self.serverAuthentication]
      let certificate = try authority.issue(template, for: key)
      return """
        certificate \(Hexadecimal.text(certificate.der))
        key \(Hexadecimal.text(key.der))
        authority \(Hexadecimal.text(authority.certificate.der))
        clients \(server.clientCertificate.rawValue)
        tls \(server.version.rawValue)

        """
    } catch {
      throw HostError(
        .program, "cannot issue a certificate for the server `\(server.name)`: \(error)")
    }
  }

  // MARK: Access of apps

  /// Returns an app's access to the running servers that the app's description names. A keyboard without full access
  /// may not access any server.
  func access(of app: AppDescription) -> ServerAccess {
    let names = app.isClosedKeyboard ? [] : app.servers
    let reached = running.filter { names.contains($0.description.name) }
    return ServerAccess(reached, trustFile: folders.organizationCertificate)
  }

  /// Writes the certificate of the organisation's authority to the file from which apps read it.
  private func publishOrganizationCertificate() throws(HostError) {
    let text = Data(try management.managedIdentities.organizationCertificate()).base64EncodedString(
      options: [.lineLength64Characters, .endLineWithLineFeed])
    let pem = "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    let path = folders.organizationCertificate
    guard
      FileManager.default.createFile(
        atPath: path, contents: Data(pem.utf8), attributes: [.posixPermissions: 0o600])
    else { throw HostError(.folder, "cannot write `\(path)`: \(lastError())") }
  }
}

// MARK: - Descriptions and access

/// A server of the organisation, which serves a folder's files over TLS to the apps that may reach it.
package struct ServerDescription: Sendable, Equatable {
  package var name: String
  /// The host name in URLs and in the server's certificate.
  package var host: String
  /// The port in the server's URLs. It differs from the port on which the server listens, which the kernel chooses.
  package var port: Int
  /// The absolute path of the served folder.
  package var folder: String
  package var clientCertificate: ClientCertificate
  package var version: Version

  package enum ClientCertificate: String, Sendable, CaseIterable {
    /// A client must present a certificate from the organisation's authority, and prove that it has the certificate's
    /// key.
    case required
    case none
  }

  /// The TLS versions that a server accepts.
  package enum Version: String, Sendable, CaseIterable {
    /// Both TLS 1.2 and TLS 1.3.
    case any
    case tls12 = "1.2"
    case tls13 = "1.3"
  }

  package init(
    name: String, host: String, port: Int = 443, folder: String,
    clientCertificate: ClientCertificate = .required, version: Version = .any
  ) {
    self.name = name
    self.host = host
    self.port = port
    self.folder = folder
    self.clientCertificate = clientCertificate
    self.version = version
  }
}

/// A process's access to servers: the permitted ports, and the environment variables and files from which the process
/// learns about the servers.
struct ServerAccess {
  /// The local TCP ports that the process may connect to.
  let ports: [Int]
  /// Environment variables as `NAME=value`.
  let environment: [String]
  /// Files that the process may read.
  let files: [String]

  /// Creates the access to the servers in `servers` that are listening.
  ///
  /// - Parameter trustFile: The path of the organisation's certificate.
  init(_ servers: [RunningServer], trustFile: String) {
    let reached = servers.compactMap { server in
      server.listeningPort.map { (server.description, $0) }
    }
    ports = reached.map(\.1)
    guard !reached.isEmpty else {
      environment = []
      files = []
      return
    }
    let list = reached.map { "\($0.host):\($0.port)=127.0.0.1:\($1)" }
    environment = ["SLUICE_SERVERS=\(list.joined(separator: ","))", "SLUICE_TRUST=\(trustFile)"]
    files = [trustFile]
  }

  var network: SystemCallProfile.Network { ports.isEmpty ? .none : .client }

  static let none = ServerAccess([], trustFile: "")

  /// The arguments with which `sluice-launch` and `sluice-guest` give a process this access.
  var arguments: [String] {
    ports.flatMap { ["--connect", "\($0)"] } + files.flatMap { ["--read", $0] }
  }
}
