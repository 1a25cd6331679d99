import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice studio --device`, which tries answers with the processes of a running device.
  @Suite(.timeLimit(.minutes(15))) struct StudioDeviceTests {
    private static let policy = #"""
      {
        "displayName": "Org data stays",
        "allowedOutboundDataTransferDestinations": "managedApps"
      }

      """#
    private static let world = """
      accounts:
        anna: { upn: anna@contoso.com }
        private: { upn: anna@example.org }
      policies:
        base:
          file: base.json
          assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }]
      apps:
        mail: { bundle: com.contoso.mail, sdk: true, multiIdentity: true, signedIn: [anna, private] }
        notes: { bundle: com.contoso.notes, sdk: true, signedIn: [anna], provides: Notes }
        viewer: { bundle: org.example.viewer, schemes: [acme] }
      cases:
        - name: none
          steps: [{ launch: mail }]

      """

    private let desk: Desk
    private let device: UpDevice

    init() throws {
      desk = try Desk()
      try desk.folder.write(Self.policy, to: "base.json")
      device = try UpDevice(desk.folder.write(Self.world, to: "world.yaml"), at: desk)
    }

    // MARK: Tries

    @Test(
      arguments: [
        ("Share, by the SDK", 2, "blocked", "sendManagedAppsToUnmanaged"),
        ("Share, by the SDK", 0, "allowed", "sendManagedAppsToManaged"),
        ("Share, by the SDK", 3, "allowed", "unmanagedSender"),
        ("Share, by the system", 2, "encrypted", "sendManagedAppsEncrypts"),
        ("Open in, by the SDK", 2, "blocked", "sendManagedAppsToUnmanaged"),
        ("Import, by the SDK", 2, "blocked", "sendManagedAppsToUnmanaged"),
        ("Drag and drop, by the SDK", 2, "blocked", "sendManagedAppsToUnmanaged"),
        ("Paste", 2, "allowed", "clipboardAllApps"),
        ("App's own scheme, acme:", 1, "blocked", "unmanagedScheme"),
        ("OneDrive for Business", 0, "allowed", "saveNotRestricted"),
        ("Print", 0, "allowed", "printingAllowed"),
        ("Print", 1, "allowed", "noRuleApplied"),
      ])
    func `studio's verdict on a table cell equals the running device's verdict`(
      row: String, column: Int, outcome: String, rule: String
    ) throws {
      let page = try StudioPage(on: device)
      let cell = try page.cell(row, column)
      let explained = try page.ask("explain", cell)
      let deciding = explained["reasons"]?.array?.first { $0["isDeciding"]?.bool == true }
      #expect(explained["outcome"]?.string == outcome)
      #expect(deciding?["rule"]?.string == rule)
      let answer = try page.ask("try", cell)
      #expect(answer["outcome"]?.string == outcome, "\(answer.line)")
      #expect(answer["computed"]?.string == outcome)
      #expect(answer["computedRule"]?.string == rule)
      #expect(answer["rule"]?.string == rule)
    }

    @Test func `trying a changed draft restores the device's policy afterwards`() throws {
      let page = try StudioPage(on: device)
      let cell = try page.cell("Share, by the SDK", 2)
      let steps = try device.sluice("ctl", "status", "--format", "json").json()["steps"]?.int
      #expect(try page.ask("device", cell)["policy"]?.string == "base")
      #expect(
        try device.sluice("ctl", "status", "--format", "json").json()["steps"]?.int == steps,
        "looking changes nothing")
      #expect(try page.ask("try", cell)["outcome"]?.string == "blocked")
      let change = try page.ask(
        "change", #""line": "Send org data to other apps", "value": "All apps""#)
      #expect(change["isChanged"]?.bool == true)
      let answer = try page.ask("try", cell, revision: 1)
      #expect(answer["outcome"]?.string == "allowed", "\(answer.line)")
      #expect(answer["rule"]?.string == "sendAllApps")
      let saved = try policies().first?["saved"]?.string ?? ""
      #expect(saved.hasSuffix("/2-base.json"))
      #expect(try desk.folder.read("base.json") == Self.policy)
      var status = stat()
      let folder = (saved as NSString).deletingLastPathComponent
      #expect(stat(folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
      let state = try page.ask("putBack", revision: 1)
      #expect(state["device"]?["applied"]?.array?.isEmpty == true)
      #expect(try policies().first?["saved"] == nil)
      let share = try device.sluice("ctl", "share", "from=mail", "to=viewer", "text=Figures")
      #expect(share.output.contains("share blocked by sendManagedAppsToUnmanaged"))
      try page.end()
      #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test
    func `trying a draft policy in studio uses the account that the replaced policy protects`()
      throws
    {
      let desk = try Desk()
      try desk.folder.write(Self.policy, to: "base.json")
      let world = """
        accounts:
          anna: { upn: anna@contoso.com }
          ben: { upn: ben@contoso.com }
        policies:
          open: { json: { displayName: Open, appGroupType: allApps }, assign: [{ account: anna, apps: [com.contoso.mail] }] }
          base: { file: base.json, assign: [{ account: ben, apps: [com.contoso.notes] }] }
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
          notes: { bundle: com.contoso.notes, sdk: true, signedIn: [ben] }
          viewer: { bundle: org.example.viewer }
        cases:
          - name: none
            steps: [{ launch: viewer }]

        """
      let device = try UpDevice(desk.folder.write(world, to: "world.yaml"), at: desk)
      let page = try StudioPage(on: device)
      let cell = try page.cell("Share, by the SDK", 2)
      let answer = try page.ask("try", cell)
      #expect(answer["outcome"]?.string == "blocked", "\(answer.line)")
      #expect(answer["rule"]?.string == "sendManagedAppsToUnmanaged")
      let other = try page.ask("try", cell + #", "replacing": "open""#)
      #expect(other["outcome"]?.string == "blocked", "\(other.line)")
      let report = other["report"]?.array?.compactMap(\.string).joined(separator: "\n") ?? ""
      #expect(report.contains("from mail (com.contoso.mail)"), "\(report)")
    }

    private func policies() throws -> [JSONValue] {
      try device.sluice("ctl", "policies", "--format", "json").json()["policies"]?.array ?? []
    }

    // MARK: Errors

    @Test func `studio reports a device that no longer answers`() throws {
      let page = try StudioPage(on: device)
      let cell = try page.cell("Share, by the SDK", 2)
      try device.sluice("down", ends: 0)
      for path in ["device", "try"] {
        #expect(
          try page.ask(path, cell)["error"]?.string
            == "the device iPhone does not answer; try again if it is busy, or start it again with `sluice up`"
        )
      }
    }

    @Test func `studio reports an app that exits during its start`() throws {
      let world = Self.world.replacing(
        "viewer: { bundle: org.example.viewer,",
        with: "viewer: { bundle: org.example.viewer, executable: /bin/false,")
      let other = try Desk()
      try other.folder.write(Self.policy, to: "base.json")
      let device = try UpDevice(other.folder.write(world, to: "world.yaml"), at: other)
      let page = try StudioPage(on: device)
      let message =
        try page.ask("try", try page.cell("Share, by the SDK", 2))["error"]?.string ?? ""
      #expect(message.hasPrefix("the device did not carry out `launch: "), "\(message)")
    }

    @Test func `studio --device accepts the output folder of sluice up`() throws {
      let other = try Desk()
      try other.folder.write(Self.policy, to: "base.json")
      let kept = other.folder.path("kept")
      let up = try UpDevice(
        other.folder.write(Self.world, to: "world.yaml"), ["--output-dir", kept], at: other)
      let page = try StudioPage(on: up, named: kept)
      let answer = try page.ask("try", try page.cell("Share, by the SDK", 2))
      #expect(answer["outcome"]?.string == "blocked", "\(answer.line)")
    }

    @Test func `studio refuses a device that is not running or belongs to another user`() throws {
      let down = try desk.sluice(
        "studio", "base.json", "--device", desk.folder.path, ends: 2)
      #expect(
        down.errors.contains(
          "not running, is too busy to answer, or does not allow this process to control it [socket]"
        ))
      let unknown = try desk.sluice("studio", "base.json", "--device", "iPad", ends: 2)
      #expect(unknown.errors.contains("no device of that name is running"))
      // A socket without a process.
      kill(device.process.processIdentifier, SIGKILL)
      device.process.waitUntilExit()
      let gone = try desk.sluice("studio", "base.json", "--device", device.socket, ends: 2)
      #expect(gone.errors.contains("no device answers there [socket]"))
      #expect(!gone.output.contains("http://"))
    }

    // MARK: Access

    @Test(
      arguments: [
        (["Host": "sluice.example"], 421), (["Origin": "http://sluice.example"], 421),
        (["Content-Type": "text/plain"], 400),
      ])
    func `studio rejects device requests from other web pages`(
      headers: [String: String], status: Int
    ) throws {
      let page = try StudioPage(on: device)
      let cell = try page.cell("Share, by the SDK", 2)
      for path in ["device", "try", "putBack"] {
        #expect(try page.request(path, cell, headers: headers).status == status, "\(path)")
        #expect(
          try page.request(path, cell, secret: String(repeating: "0", count: 32)).status == 404)
      }
      #expect(try policies().first?["saved"] == nil)
    }

    @Test func `without --device, each request about a device gets the status 404`() throws {
      let page = try StudioPage(on: device, isConnected: false)
      let cell = try page.cell("Share, by the SDK", 2)
      for path in ["device", "try", "putBack"] {
        #expect(try page.request(path, cell).status == 404)
      }
    }
  }
}

// MARK: - Page

/// A page of `sluice studio`, as a browser uses it.
private final class StudioPage {
  private let process: StartedProgram
  private let own: Desk
  private let port: Int
  private let secret: String

  struct Failed: Error {}

  /// - Parameters:
  ///   - isConnected: Whether the page can try answers on the device.
  ///   - folder: The folder that names the device; nil for its socket.
  init(on device: UpDevice, isConnected: Bool = true, named folder: String? = nil) throws {
    let policy = device.desk.folder.path("base.json")
    let words = ["studio", policy] + (isConnected ? ["--device", folder ?? device.socket] : [])
    let own = try Desk()
    // A device that a folder names is found by the sockets of its user.
    let variables = folder == nil ? [:] : ["XDG_RUNTIME_DIR": device.desk.folder.path("run")]
    let process = try own.start(Desk.program, words, variables: variables)
    self.own = own
    self.process = process
    try waitUntil("the page is served") {
      try !process.isRunning || own.folder.read(".output").contains("/\n")
    }
    let parts = try own.folder.read(".output").split { ":/\n".contains($0) }
    guard parts.count == 4, let port = Int(parts[2]) else { throw Failed() }
    self.port = port
    secret = String(parts[3])
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Ends the command by a signal.
  func end() throws {
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
  }

  /// Returns the members of a request about a cell.
  ///
  /// - Parameter column: The column's index.
  func cell(_ row: String, _ column: Int) throws -> String {
    for (number, section) in (try ask("state")["sections"]?.array ?? []).enumerated() {
      let rows = section["rows"]?.array?.map { $0["title"]?.string } ?? []
      guard let row = rows.firstIndex(of: row) else { continue }
      return
        #""section": \#(number), "row": \#(row), "column": \#(column), "state": "unenrolled""#
    }
    throw Failed()
  }

  func ask(_ path: String, _ members: String = "", revision: Int = 0) throws -> JSONValue {
    let answer = try request(path, members, revision: revision)
    guard answer.status == 200 else { throw Failed() }
    return try JSONReader.read(answer.body)
  }

  /// Makes a request, and returns the status and the body of the answer.
  ///
  /// - Parameters:
  ///   - secret: The secret in the path; nil for the page's own.
  ///   - headers: Headers in addition to the browser's, or in their place.
  func request(
    _ path: String, _ members: String, revision: Int = 0, secret: String? = nil,
    headers: [String: String] = [:]
  ) throws -> (status: Int, body: String) {
    let body =
      #"{"policy": 0, "revision": \#(revision)"# + (members.isEmpty ? "" : ", \(members)") + "}"
    let own = [
      "Host": "127.0.0.1:\(port)", "Content-Type": "application/json",
      "Content-Length": "\(body.utf8.count)", "Connection": "close",
    ]
    let lines = own.merging(headers) { $1 }.map { "\($0): \($1)\r\n" }.joined()
    let text = "POST /\(secret ?? self.secret)/\(path) HTTP/1.1\r\n\(lines)\r\n\(body)"
    let answer = try exchange(text)
    guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Failed() }
    let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
    guard let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw Failed()
    }
    return (status, String(decoding: answer[end.upperBound...], as: UTF8.self))
  }

  /// Sends a text to the page's server, and returns the answer.
  private func exchange(_ text: String) throws -> [UInt8] {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Failed() }
    var limit = timeval(tv_sec: 200, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { throw Failed() }
      rest = rest.dropFirst(sent)
    }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      // The system does not restart a call on a socket with a timeout after a signal (signal(7)).
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failed() }
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    return received
  }
}
