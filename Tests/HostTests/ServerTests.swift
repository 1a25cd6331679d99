import Encodings
import EventLoop
import Foundation
import Model
import Secrets
@testable import Host
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the organisation's servers: which guests can reach them, and their life cycle.
  @Suite(.serverPrograms) struct ServerTests {
    @Test(.enabled(if: Lab.canConfineFully, "this kernel's Landlock is older than ABI 6"))
    func `a confined app can connect only to its permitted servers`() throws {
      let workspace = try Workspace()
      let lab = try Lab.tracing { $0.programs.server = "\(TLSLab.programs)/sluice-server" }
      for name in ["first", "second"] {
        try lab.device.servers.start(
          ServerDescription(name: name, host: "\(name).contoso.com", folder: workspace.path))
      }
      let ports = lab.device.servers.running.compactMap(\.listeningPort)
      #expect(Set(ports).count == 2)
      var app = AppDescription(
        name: "hostile", bundleID: "com.example.hostile",
        program: .executable(
          path: "\(Lab.programs)/hostile-guest", arguments: ["connect"] + ports.map(String.init)))
      app.servers = ["first"]
      try lab.device.install(app)
      lab.launch(["hostile"])
      lab.wait("the attempts") { lab.trace.contains("connect \(ports[1])") }
      #expect(lab.trace.contains("connect \(ports[0]): OPENED"))
      #expect(lab.trace.contains("connect \(ports[1]): EACCES"))
      lab.close()
    }

    @Test func `only apps that list a server get its address, port and certificate`() throws {
      let lab = try TLSLab()
      try lab.startServer()
      var app = AppDescription(name: "other", bundleID: "com.example.other")
      #expect(lab.device.servers.access(of: app).environment == [])
      app.servers = ["resources"]
      let access = lab.device.servers.access(of: app)
      let port = try #require(lab.device.servers.running.first?.listeningPort)
      #expect(access.ports == [port])
      #expect(
        access.environment == [
          "SLUICE_SERVERS=resources.contoso.com:443=127.0.0.1:\(port)",
          "SLUICE_TRUST=\(lab.device.storage.folders.organizationCertificate)",
        ])
      // A keyboard without full access cannot reach any server.
      app.kind = .extension(.keyboard, in: "com.example.other")
      #expect(lab.device.servers.access(of: app).ports == [])
      app.hasFullAccess = true
      #expect(lab.device.servers.access(of: app).ports == [port])
      lab.close()
    }

    @Test(arguments: ["/%2e%2e/secret", "/../secret", "/link", "/", "/folder", "/nothing", "/%zz"])
    func `a server serves no folders, symbolic links or files outside its folder`(path: String)
      throws
    {
      let lab = try TLSLab()
      try lab.workspace.write("secret", to: "secret")
      try lab.workspace.write("inside", to: "served/folder/file")
      try FileManager.default.createSymbolicLink(
        atPath: lab.workspace.path("served/link"),
        withDestinationPath: lab.workspace.path("secret"))
      try lab.startServer(clients: .none)
      let status = try lab.fetch(nil, place: "https://resources.contoso.com\(path)")
      #expect(status.hasPrefix("failed: "))
      #expect(lab.file("resources") == "")
      lab.close()
    }

    @Test func `silent and malformed connections to a server do not block other apps' requests`()
      throws
    {
      let lab = try TLSLab()
      try lab.startServer()
      let port = try #require(lab.device.servers.running.first?.listeningPort)
      var babbler = AppDescription(
        name: "babbler", bundleID: "com.example.babbler",
        program: .executable(
          path: "\(Lab.programs)/hostile-guest", arguments: ["babble", "\(port)"]))
      babbler.servers = ["resources"]
      try lab.device.install(babbler)
      lab.lab.launch(["babbler"])
      #expect(try lab.fetch(TLSLab.acme(256)) == "fetched\n")
      var requests = lab.requests()
      while !requests.contains("GET /landmarks 200 CN=phone"), requests != ["no server"] {
        requests = lab.requests()
      }
      #expect(requests.contains("GET /landmarks 200 CN=phone"))
      #expect(lab.device.servers.running.first?.isRunning == true)
      lab.close()
    }

    private static let openssl = "/usr/bin/openssl"
    private static let isOpenSSLThere = FileManager.default.isExecutableFile(atPath: openssl)

    /// A few copies of the file, in plain and encrypted form, would exceed the server's memory.
    @Test(.enabled(if: isOpenSSLThere, "there is no /usr/bin/openssl"))
    func `clients that do not read a large file do not exhaust the server's memory`() throws {
      let workspace = try Workspace()
      try workspace.write(String(repeating: "x", count: 16_000_000), to: "served/large")
      let request = try workspace.write(
        "GET /large HTTP/1.1\r\nHost: resources.contoso.com\r\n\r\n", to: "request")
      let folder = workspace.path("served")
      let program = "\(TLSLab.programs)/sluice-server"
      let loop = try EventLoop()
      defer { loop.close() }
      let server = try RunningServer(
        ServerDescription(name: "resources", host: "resources.contoso.com", folder: folder),
        .executable(program),
        arguments: [
          program, "--read", folder, "--bind", "0", "--memory", "\(256 << 20)", "--descriptors",
          "512", "--", folder,
        ], settings: Self.settings(), filter: .of(.server), on: loop
      ) { _ in }
      defer {
        server.signal(SIGKILL)
        loop.run { !server.isRunning }
      }
      loop.run { server.isSettled }
      let port = try #require(server.listeningPort)
      var served: [String] = []
      func collect(_ requests: [String]) {
        served += requests
        server.next(collect)
      }
      server.next(collect)
      // Nothing reads the pipes.
      let outputs = (0..<40).map { _ in Foundation.Pipe() }
      let clients = try outputs.map {
        try StartedProgram(
          Self.openssl, ["s_client", "-connect", "127.0.0.1:\(port)", "-quiet"],
          input: try #require(FileHandle(forReadingAtPath: request)),
          output: $0.fileHandleForWriting)
      }
      defer { for client in clients { kill(client.processIdentifier, SIGKILL) } }
      loop.run { served.count >= clients.count || !server.isRunning }
      #expect(server.isRunning)
      #expect(served == Array(repeating: "GET /large 200 nobody", count: clients.count))
    }

    /// Returns the settings of a server that requires no certificates.
    private static func settings() throws -> String {
      let validity = (TLSLab.now - 60)...(TLSLab.now + 3_600)
      let authority = try CertificateAuthority(named: "Contoso", validity: validity)
      let key = try PrivateKey(.p256)
      let template = CertificateTemplate(
        subject: [[.init(type: "CN", value: "resources.contoso.com")]], validity: validity)
      return """
        certificate \(Hexadecimal.text(try authority.issue(template, for: key).der))
        key \(Hexadecimal.text(key.der))
        authority \(Hexadecimal.text(authority.certificate.der))
        clients none
        tls any

        """
    }

    private static func server(_ arguments: [String], on loop: EventLoop) throws -> RunningServer {
      try RunningServer(
        ServerDescription(
          name: "resources", host: "resources.contoso.com", folder: NSTemporaryDirectory()),
        .executable(arguments[0]), arguments: arguments, settings: "\n", filter: .of(.server),
        on: loop
      ) { _ in }
    }

    @Test func `each server request is reported once, even under back-to-back polling`() throws {
      let loop = try EventLoop()
      defer { loop.close() }
      let server = try Self.server(["/bin/echo", "refused"], on: loop)
      loop.run { !server.isRunning }
      var taken: [[String]] = []
      server.next { first in
        taken.append(first)
        server.next { taken.append($0) }
      }
      #expect(taken == [["refused"]])
      loop.run()
      #expect(loop.handleCount == 0)
    }

    @Test func `a server that fails to start leaves no handle in the loop`() throws {
      let loop = try EventLoop()
      defer { loop.close() }
      #expect(throws: EventLoopError.self) { try Self.server(["/nowhere/server"], on: loop) }
      loop.run()
      #expect(loop.handleCount == 0)
    }

    // MARK: Mistakes

    private func error(
      folder: String = "/tmp", _ adjust: (inout DeviceConfiguration) -> Void = { _ in }
    ) throws -> String {
      let lab = try Lab {
        $0.programs.server = "\(TLSLab.programs)/sluice-server"
        adjust(&$0)
      }
      defer { lab.close() }
      do throws(HostError) {
        try lab.device.servers.start(
          ServerDescription(name: "files", host: "files.contoso.com", folder: folder))
        return "none"
      } catch {
        #expect(lab.device.servers.running.isEmpty)
        return error.description
      }
    }

    @Test func `the error for a failed server start states the reason`() throws {
      #expect(try error() == "none")
      for folder in ["/proc/nowhere", "/etc/passwd"] {
        #expect(
          try error(folder: folder) == "the server `files` has no folder `\(folder)` to serve")
      }
      #expect(
        try error { $0.programs.server = "/proc/nowhere/sluice-server" }
          == "cannot find the executable `/proc/nowhere/sluice-server`: No such file or directory; "
          + "run `make tls`")
      #expect(
        try error { $0.programs.server = "/bin/false" }
          == "the server `files` does not start: it exited with status 1")
    }

    @Test func `if one server fails to start, all servers are stopped`() throws {
      let lab = try TLSLab()
      try lab.startServer()
      let first = try #require(lab.device.servers.running.first)
      let error = #expect(throws: HostError.self) {
        try lab.device.servers.start(
          ServerDescription(name: "files", host: "files.contoso.com", folder: "/proc/nowhere"))
      }
      #expect(
        error?.description == "the server `files` has no folder `/proc/nowhere` to serve")
      #expect(lab.device.servers.running.isEmpty)
      #expect(!first.isRunning)
      try lab.startServer()
      #expect(lab.device.servers.running.count == 1)
      lab.close()
    }

    @Test func `a request to a server that has exited fails`() throws {
      let lab = try TLSLab()
      try lab.startServer()
      let server = try #require(lab.device.servers.running.first)
      server.signal(SIGKILL)
      lab.lab.wait("its end") { !server.isRunning }
      #expect(try lab.fetch(TLSLab.acme(256)).hasPrefix("failed: "))
      #expect(lab.requests() == ["no server"])
      lab.close()
    }

    @Test func `servers exit when their host is killed`() throws {
      let workspace = try Workspace()
      try workspace.write("x", to: "files/x")
      let scenario = try workspace.write(
        """
        servers: { files: { host: files.contoso.com, folder: files } }
        steps: [{ served: files }]
        """, to: "waiting.yaml")
      let host = try StartedProgram(Lab.programs + "/sluice", ["run", scenario])
      defer { host.waitUntilExit() }
      var server: Int32 = 0
      try waitUntil("the server runs") {
        server = ConfinementTests.children(of: host.processIdentifier).first ?? 0
        return server > 0
      }
      kill(host.processIdentifier, SIGKILL)
      try waitUntil("the server is gone") { kill(server, 0) != 0 }
    }
  }
}
