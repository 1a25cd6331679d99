import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice admin` on a running device.
  @Suite(.timeLimit(.minutes(15))) final class AdministratorCommandTests {
    private let device: UpDevice
    private static let landmarks = Repository.path("examples/declarations/landmarks")
    private static let mountains = Repository.path("scenarios/criteria/managed/mountains")

    init() throws {
      device = try UpDevice(Repository.path("scenarios/criteria/MA.yaml"))
    }

    /// Copies the example's folder to the desk. The new name is a part of the original name.
    private func copy(as name: String) throws {
      try device.desk.folder.copy(Self.landmarks, to: name)
    }

    private func replace(_ old: String, with new: String, in name: String) throws {
      let text = try device.desk.folder.read(name)
      try #require(text.contains(old))
      try device.desk.folder.write(text.replacing(old, with: new), to: name)
    }

    @Test
    func `applied declarations reach running apps, and apply lists the changes for each app`()
      throws
    {
      try device.sluice("ctl", "launch", "landmarks", ends: 0)
      let applied = try device.sluice("admin", "apply", Self.mountains, ends: 0)
      #expect(
        applied.lines.first
          == "com.contoso.landmarks (CONTOSO123): configuration, legacy configuration, password classroom; notified: landmarks"
      )
      #expect(applied.lines.last == "11 declarations: 3 configurations active, 1 change")
      let asked = try device.sluice(
        "ctl",
        "managedApp: { app: landmarks, ask: configuration, key: collection.name }")
      #expect(asked.output.contains("managedConfiguration allowed by managedAppProvides"))
      try ask(["ask=password", "identifier=classroom", "expect.received=the-second-one"], ends: 0)
      let again = try device.sluice("admin", "apply", Self.mountains)
      #expect(
        again.output == "11 declarations: 3 configurations active, no app is affected\n")
    }

    @Test func `sluice admin apply resolves a relative path in the administrator's folder`() throws
    {
      try copy(as: "mine")
      let applied = try device.sluice("admin", "apply", "mine", ends: 0)
      #expect(applied.errors.hasPrefix("mine/configurations.json:6:16: warning: "))
      try device.sluice("ctl", "admin", "apply", "mine/", ends: 0)
      try device.sluice("shell", input: "admin apply mine\n", ends: 0)
    }

    @Test func `invalid declarations are reported with positions, and valid declarations apply`()
      throws
    {
      try copy(as: "mine")
      try replace(#""Required""#, with: #""Often""#, in: "mine/configurations.json")
      let applied = try device.sluice("admin", "apply", "mine", ends: 1)
      #expect(
        applied.errors
          == "mine/configurations.json:8:39: error: `InstallBehavior.Install` must be `Optional` or `Required` [declarations]\n"
      )
      #expect(applied.output.contains("2 configurations active"))
      let status = try device.sluice("admin", "status", ends: 0)
      #expect(status.lines.contains("  inactive  invalid  com.contoso.landmarks, token 1"))
      #expect(status.lines.contains("  active    valid    com.contoso.open-in, token 1"))
      let events = try device.sluice("admin", "events")
      #expect(events.lines.count == 1)
      #expect(events.output.contains(" 0: mine/configurations.json:8:39: error: "))
    }

    @Test func `a rejected declaration set changes nothing on the device`() throws {
      let before = try device.sluice("admin", "status", "--format", "json").output
      try device.desk.folder.write("no profile", to: "broken.mobileconfig")
      mkfifo(device.desk.folder.path("pipe.mobileconfig"), 0o600)
      for (path, message) in [
        ("nowhere", "nowhere: error: the folder does not exist [declarations]\n"),
        ("broken.mobileconfig", "broken.mobileconfig"),
        (
          "pipe.mobileconfig",
          "pipe.mobileconfig: error: expected a file of at most 16777216 bytes [declarations]\n"
        ),
      ] {
        let refused = try device.sluice("admin", "apply", path, ends: 2)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.hasPrefix(message))
      }
      #expect(try device.sluice("admin", "status", "--format", "json").output == before)
    }

    @Test func `applying a single profile replaces all declarations on the device`() throws {
      let profile = Repository.path("scenarios/profiles/managed-open-in.mobileconfig")
      let signed = device.desk.folder.path("signed.mobileconfig")
      let key = device.desk.folder.path("key.pem")
      let certificate = device.desk.folder.path("certificate.pem")
      try device.desk.run(
        "/usr/bin/openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
          "/CN=Contoso", "-keyout", key, "-out", certificate,
        ], ends: 0)
      try device.desk.run(
        "/usr/bin/openssl",
        [
          "cms", "-sign", "-nodetach", "-binary", "-in", profile, "-signer", certificate, "-inkey",
          key, "-outform", "DER", "-out", signed,
        ], ends: 0)
      for path in [profile, signed] {
        let applied = try device.sluice("admin", "apply", path, ends: 0)
        #expect(applied.output.contains("2 declarations: 1 configuration active"))
        let status = try device.sluice("admin", "status")
        #expect(!status.output.contains("com.contoso.landmarks"))
      }
    }

    @Test func `a warning about a profile is printed once`() throws {
      try device.desk.folder.write(
        """
        <plist version="1.0"><dict><key>PayloadType</key><string>Configuration</string>
        <key>PayloadContent</key><array/></dict></plist>
        """, to: "idle.mobileconfig")
      let applied = try device.sluice("admin", "apply", "idle.mobileconfig")
      #expect(
        applied.errors == "idle.mobileconfig: warning: the profile has no effect: it has no "
          + "payload of type `com.apple.applicationaccess` [declarations]\n")
    }

    @Test(arguments: [64, 65])
    func `sluice admin apply reports unsimulated payloads and overlong profile identifiers`(
      count: Int
    ) throws {
      let identifier = "com.contoso." + String(repeating: "x", count: count - 12)
      try device.desk.folder.write(
        """
        <plist version="1.0"><dict><key>PayloadType</key><string>Configuration</string>
        <key>PayloadIdentifier</key><string>\(identifier)</string>
        <key>PayloadContent</key><array><dict>
        <key>PayloadType</key><string>com.apple.wifi.managed</string>
        </dict><dict>
        <key>PayloadType</key><string>com.apple.applicationaccess</string>
        <key>requireManagedPasteboard</key><true/>
        </dict></array></dict></plist>
        """, to: "long.mobileconfig")
      let told = try device.sluice("admin", "apply", "long.mobileconfig").errors
      #expect(
        told.contains(
          "long.mobileconfig: note: the payload `com.apple.wifi.managed` is not simulated "
            + "[declarations]\n"))
      #expect(told.contains("has 65 bytes; the maximum is 64") == (count == 65), "\(told)")
      #expect(!told.contains("has 76 bytes"))
    }

    @Test func `an unmanaged device rejects declarations`() throws {
      let other = try UpDevice(Repository.path("scenarios/criteria/SEND.yaml"))
      #expect(try other.sluice("admin", "status").output == "nothing is declared\n")
      let refused = try other.sluice("admin", "apply", Self.landmarks, ends: 2)
      #expect(
        refused.errors
          == "\(Self.landmarks): error: the device is not enrolled in MDM, so it has no administrator [request]\n"
      )
    }

    @Test func `the JSON of sluice admin status has the members of Apple's status report`() throws {
      let text = try device.sluice("admin", "status", "--format", "json").output
      let report = try JSONReader.read(text)["report"]
      #expect(report?["FullReport"]?.bool == true)
      let kinds = report?["StatusItems"]?["management"]?["declarations"]?.members ?? []
      #expect(kinds.map(\.name) == ["activations", "assets", "configurations", "management"])
    }

    @Test func `sluice admin events --follow prints events until the device shuts down`() throws {
      try device.sluice("ctl", "launch", "landmarks", ends: 0)
      try report("the first")
      let follower = try device.start("admin", "events", "--follow")
      try waitUntil("the follower has told the first") {
        try follower.desk.folder.read(".output").contains("the first")
      }
      try report("the second")
      try device.sluice("down", ends: 0)
      follower.process.waitUntilExit()
      #expect(follower.process.terminationStatus == 0)
      #expect(
        try follower.desk.folder.read(".output") == """
          2026-01-01T00:00:00Z com.contoso.landmarks 100: the first
          2026-01-01T00:00:00Z com.contoso.landmarks 100: the second

          """)
    }

    /// Makes the app report an error with its own code.
    private func report(_ message: String) throws {
      try ask(["ask=report", "code=100", "message=\(message)"], ends: 0)
    }

    @Test func `applied declarations and their keys persist across a restart`()
      throws
    {
      try device.desk.folder.copy(Self.mountains, to: "mine")
      try replace(
        """
        "Identifier": "com.contoso.asset.device-identity",
            "ServerToken": "1"
        """,
        with: """
          "Identifier": "com.contoso.asset.device-identity",
              "ServerToken": "2"
          """, in: "mine/assets.json")
      try device.sluice("admin", "apply", "mine", ends: 0)
      try device.sluice("ctl", "launch", "landmarks", ends: 0)
      try ask(["ask=sign", "identifier=device", "text=x", "expect.received=verified"], ends: 0)
      let keys = try keys()
      #expect(keys.hasPrefix("managedIdentity "))
      try device.sluice("ctl", "restart", "device", ends: 0)
      try device.sluice("ctl", "launch", "landmarks", ends: 0)
      try ask(["ask=password", "identifier=classroom", "expect.received=the-second-one"], ends: 0)
      try ask(["ask=sign", "identifier=device", "text=x", "expect.received=verified"], ends: 0)
      #expect(try self.keys() == keys)
    }

    @discardableResult
    private func ask(
      _ question: [String], _ options: String..., ends status: Int32? = nil
    ) throws -> Desk.Ended {
      try device.desk.sluice(
        ["ctl", "--socket", device.socket] + options + ["managedApp", "app=landmarks"] + question,
        ends: status)
    }

    /// Returns the device's stored identities, as names and hashes.
    private func keys() throws -> String {
      let folder = try #require(try Client(device.socket).status()?["folder"]?.string)
      let program = """
        import hashlib, sqlite3, sys
        for name, value in sqlite3.connect(sys.argv[1]).execute("SELECT name, value FROM secret ORDER BY name"):
            if name.startswith("managedIdentity"): print(name, hashlib.sha256(value).hexdigest())
        """
      let ended = try device.desk.run(
        "/usr/bin/python3", ["-c", program, "\(folder)/device.sqlite"], ends: 0)
      return ended.output
    }

    @Test
    func
      `concurrent administrators each receive their own answer, and the last declaration set applies`()
      throws
    {
      try device.sluice("ctl", "launch", "landmarks", ends: 0)
      let clients = try (0..<2).map { _ in try Client(device.socket) }
      let folders = [Self.landmarks, Self.mountains]
      for number in 1...20 {
        for (client, folder) in zip(clients, folders) {
          try client.post("apply", #"{"path":"\#(folder)"}"#, id: number)
        }
      }
      for number in 1...20 {
        for (client, folder) in zip(clients, folders) {
          let answer = try #require(try client.answer())
          #expect(answer["id"]?.int == number)
          let problem = answer["result"]?["problems"]?.array?.first
          #expect(problem?["file"]?.string == "\(folder)/configurations.json")
        }
      }
      // The two requests may be handled in either order, but one of them is applied completely.
      let pair = try [
        ["ask=password", "identifier=classroom"], ["ask=configuration", "key=collection.name"],
      ].map { question in
        let answer = try ask(question, "--format", "json").json()
        return try #require(answer["observed"]?.array?.first?["received"]?.string)
      }
      #expect(
        [["only-for-the-example", "Rivers and lakes"], ["the-second-one", "Mountains"]].contains(
          pair))
    }

    @Test(arguments: [
      #"{"path":"relative"}"#, #"{}"#, #"{"path":7}"#, #"{"path":"/","depth":1}"#,
      #"{"path":"/a\nb"}"#, #"["/"]"#,
    ])
    func `invalid parameters of admin commands are rejected`(parameters: String) throws {
      let client = try Client(device.socket)
      let answer = try client.call("apply", parameters)
      #expect(answer?["error"]?["code"]?.int == -32602)
    }
  }
}
