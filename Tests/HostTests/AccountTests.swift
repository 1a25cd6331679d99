import AppConfiguration
import Encodings
import Foundation
import GraphDocuments
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Enrollment
@testable import Host

extension RealProcesses {
  /// Tests that an account's state is consistent: the device and every API of the SDK report the
  /// same state.
  @Suite struct AccountStateTests {
    static let bob = Account(upn: "bob@example.org")

    /// A script that follows the commands in URLs. It exports the SDK's account lists and the
    /// statuses that its delegate received.
    private static let script = """
      local heard, done = {}, 0
      app.enrollmentStatus(function(request, account, code) heard[#heard + 1] = request .. code end)
      app.opened(function(url)
        local call, account = url:match("^scripted:(%w+)/(.*)$")
        if call == "leave" then accounts.unenroll(account, true)
        else accounts[call](account) end
        done = done + 1
      end)
      app.provides(function()
        local function list(names) table.sort(names) return table.concat(names, ",") end
        return list(accounts.registered()) .. ";" .. list(accounts.enrolled()) .. ";"
          .. table.concat(heard, ",") .. ";" .. done
      end)
      """

    private let folder: Workspace
    private let lab: Lab

    init() throws {
      folder = try Workspace()
      lab = try Lab(policy: Settings()) { $0.accounts.append(Self.bob) }
      try lab.device.install(
        AppDescription(
          name: "scripted", bundleID: "com.example.managed",
          program: .script(path: try folder.write(Self.script, to: "scripted.lua")),
          integratesSDK: true, isMultiIdentity: true, schemes: ["scripted"]))
      try lab.app("other")
      lab.launch(["scripted"])
    }

    /// Makes the script call the SDK, and waits for the answer.
    private func call(_ name: String, _ account: Account) {
      let before = answers().last
      lab.perform(.openURL(OpenURL("scripted:\(name)/\(account.upn)")), on: "other")
      while lab.device.guests.isRunning("scripted"), answers().last == before {}
    }

    /// Returns the SDK's lists of registered and enrolled accounts, and the statuses.
    private func told() -> [String] { Array(answers().prefix(3)) }

    private func answers() -> [String] {
      lab.perform(.import(source: "scripted", via: .sdk), on: "other")
      return (lab.inbox(of: "other").last ?? "")
        .split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    }

    private func state(of account: Account) -> String {
      lab.device.enrollment.view(of: account, in: "scripted")?.state ?? ""
    }

    private func check(after step: String) {
      let names = [Self.bob, Lab.anna].map { (name: $0.objectID ?? $0.upn, state: state(of: $0)) }
        .sorted { $0.name < $1.name }
      let told = told()
      #expect(told.count == 3, "after \(step)")
      let registered = names.filter { $0.state != "unregistered" }.map(\.name)
      let enrolled = names.filter { $0.state == "enrolled" }.map(\.name)
      #expect(told.first == registered.joined(separator: ","), "after \(step)")
      #expect(told.dropFirst().first == enrolled.joined(separator: ","), "after \(step)")
    }

    @Test func `signing in a targeted account registers and enrolls it`() throws {
      call("signIn", Lab.anna)
      let anna = try #require(Lab.anna.objectID)
      #expect(state(of: Lab.anna) == "enrolled")
      #expect(told() == [anna, anna, "enrollment100"])
      call("enroll", Lab.anna)
      #expect(told() == [anna, anna, "enrollment100,enrollment208"])
      lab.close()
    }

    @Test func `signing in an untargeted account does not register it with the SDK`() throws {
      call("signIn", Self.bob)
      #expect(state(of: Self.bob) == "unregistered")
      #expect(told() == ["", "", ""])
      call("enroll", Self.bob)
      #expect(told() == [Self.bob.upn, "", "enrollment225"])
      call("signIn", Self.bob)
      #expect(state(of: Self.bob) == "waiting")
      #expect(told() == [Self.bob.upn, "", "enrollment225"])
      lab.close()
    }

    @Test func `assigning a policy after sign-in enrolls the account`() throws {
      lab.device.enrollment.assign([], to: Lab.anna)
      call("signIn", Lab.anna)
      #expect(state(of: Lab.anna) == "unregistered")
      lab.device.enrollment.assign([Self.assignment], to: Lab.anna)
      #expect(state(of: Lab.anna) == "enrolled")
      check(after: "assign")
      #expect(told().last == "enrollment100")
      lab.close()
    }

    @Test func `an account signed in before the app's start is enrolled`() throws {
      lab.stop("scripted")
      try lab.device.accounts.presetSignIn(Lab.anna, in: "scripted")
      lab.launch(["scripted"])
      #expect(state(of: Lab.anna) == "enrolled")
      check(after: "launch")
      lab.close()
    }

    private static let assignment = PolicyAssignment(
      document: PolicyDocument(displayName: "lab", file: "lab.json", settings: Settings()),
      account: Lab.anna, apps: ["com.example.managed"])

    @Test(arguments: UInt64(1)...4)
    func `device and scripts agree on an account's state after each random step`(seed: UInt64)
      throws
    {
      var numbers = SeededGenerator(seed: seed)
      for number in 1...40 {
        let account = Bool.random(using: &numbers) ? Lab.anna : Self.bob
        let step = Int.random(in: 0..<9, using: &numbers)
        switch step {
        case 0, 1: call("signIn", account)
        case 2: call("enroll", account)
        case 3: call("signOut", account)
        case 4: call("unenroll", account)
        case 5: call("leave", account)
        case 6:
          let isTargeted = Bool.random(using: &numbers)
          lab.device.enrollment.assign(isTargeted ? [Self.assignment] : [], to: Lab.anna)
        case 7: try lab.device.enrollment.checkIn(account, in: "scripted")
        default:  // open: the last of the steps
          lab.stop("scripted")
          lab.launch(["scripted"])
        }
        check(after: "step \(number), \(step) of \(account.upn), seed \(seed)")
      }
      lab.close()
    }
  }

  /// Tests tokens and enrollment on a real device.
  @Suite struct TokenTests {
    private static let request = AcquireToken(
      account: Lab.anna.upn, resource: "https://graph.microsoft.com", capabilities: ["ProtApp"])

    private static let openssl = "/usr/bin/openssl"
    private static let isOpenSSLThere = FileManager.default.isExecutableFile(atPath: openssl)

    @Test(.enabled(if: isOpenSSLThere, "there is no /usr/bin/openssl"))
    func `a token's signature verifies with the device's public key`() throws {
      let (token, keySet) = try Self.issue()
      let parts = token.split(separator: ".").map(String.init)
      try #require(parts.count == 3)
      let keys = try JSONReader.read(keySet)["keys"]?.array
      let key = try #require(keys?.first)
      let header = try JSONReader.read(
        String(decoding: try Self.bytes(parts[0]), as: UTF8.self))
      #expect(header["kid"]?.string == key["kid"]?.string)
      let point =
        try Self.bytes(key["x"]?.string ?? "") + Self.bytes(key["y"]?.string ?? "")
      let input = "\(parts[0]).\(parts[1])"
      let signature = try Self.bytes(parts[2])
      #expect(try Self.verify(input, signature, point) == 0)
      #expect(try Self.verify(input + "x", signature, point) != 0)
    }

    @Test func `a device's token key stays the same and differs from other devices' keys`() throws {
      let lab = try Lab()
      defer { lab.close() }
      let other = try Lab()
      defer { other.close() }
      #expect(lab.device.tokens.keys.json == lab.device.tokens.keys.json)
      #expect(lab.device.tokens.keys.json != other.device.tokens.keys.json)
    }

    @Test func `an endless remediation loop is reported and stopped`() throws {
      let lab = try Lab(policy: .managedOnly)
      defer { lab.close() }
      // The account has no policy for this app.
      try lab.device.install(
        AppDescription(name: "eager", bundleID: "com.example.eager", integratesSDK: true))
      lab.launch(["eager"])
      for _ in 0..<6 {
        lab.perform(.remediate(account: Lab.anna.upn, isSilent: true), on: "eager")
      }
      let loops = lab.events.filter { if case .remediationLooped = $0 { true } else { false } }
      #expect(
        loops == [
          .remediationLooped(app: "com.example.eager", account: Lab.anna.upn, count: 3)
        ])
      let answers = lab.events.count { if case .complianceAnswered = $0 { true } else { false } }
      #expect(answers == 3)
      #expect(lab.decisions.suffix(3).allSatisfy { $0.verdict.deciding == .remediationLoop })
    }

    @Test func `the number of a hostile guest's accounts is limited`() throws {
      let lab = try Lab { $0.service.isReachable = true }
      defer { lab.close() }
      try lab.device.install(
        AppDescription(name: "eager", bundleID: "com.example.eager", integratesSDK: true))
      lab.launch(["eager"])
      lab.device.enrollment.changeService { $0[Lab.anna].needsCredentials = true }
      for number in 0..<200 {
        lab.perform(.remediate(account: "\(number)@example.org", isSilent: false), on: "eager")
        lab.perform(.unenroll(account: "\(number)@example.org", wipes: false), on: "eager")
      }
      #expect(lab.device.services.registry["eager"]?.accounts.registrations.count ?? 0 <= 64)
      try lab.expectService()
    }

    /// Returns a token and the keys to verify it, from a device that is already deleted.
    private static func issue() throws -> (token: String, keySet: String) {
      let lab = try Lab(policy: .managedOnly, managed: "managed")
      defer { lab.close() }
      return (lab.perform(.acquireToken(request), on: "managed"), lab.device.tokens.keys.json)
    }

    // MARK: Verification by another program

    private static func verify(
      _ input: String, _ signature: [UInt8], _ point: [UInt8]
    ) throws -> Int32 {
      let folder = try Workspace()
      for (name, bytes) in [
        ("key.der", publicKeyPrefix + [4] + point), ("signature", der(signature)),
        ("input", Array(input.utf8)),
      ] { try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name))) }
      let process = try StartedProgram(
        openssl,
        [
          "dgst", "-sha256", "-verify", "key.der", "-keyform", "DER", "-signature", "signature",
          "input",
        ], in: folder.path)
      process.waitUntilExit()
      return process.terminationStatus
    }

    /// The start of SubjectPublicKeyInfo for a P-256 key, up to its point (RFC 5480, section 2).
    private static let publicKeyPrefix: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// Encodes ECDSA-Sig-Value (RFC 3279, section 2.2.3).
    private static func der(_ signature: [UInt8]) -> [UInt8] {
      let numbers = [signature.prefix(32), signature.suffix(32)].flatMap { number -> [UInt8] in
        var bytes = Array(number.drop { $0 == 0 })
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return [2, UInt8(bytes.count)] + bytes
      }
      return [0x30, UInt8(numbers.count)] + numbers
    }

    /// Decodes base64url with Foundation.
    private static func bytes(_ text: String) throws -> [UInt8] {
      var padded = text.replacing("-", with: "+").replacing("_", with: "/")
      while padded.count % 4 != 0 { padded += "=" }
      return Array(try #require(Data(base64Encoded: padded)))
    }
  }

  /// Tests the delivery of app configurations to apps.
  @Suite struct ConfigurationTests {
    private static func assignment(
      _ settings: [String: String], to account: Account = Lab.anna
    ) -> AppConfigurationAssignment {
      let document = AppConfigurationDocument(
        displayName: "test", file: "c.json", channel: .managedApps,
        entries: settings.sorted { $0.key < $1.key }.map {
          .init(key: $0.key, value: .text($0.value), position: .init(line: 1, column: 1))
        })
      return AppConfigurationAssignment(
        document: document, account: account,
        apps: ["com.example.managed", "com.example.hostile"])
    }

    /// Returns the values as seen by the app.
    private func values(of key: String, on guest: String, in lab: Lab) throws -> [String] {
      var result: Result<ConfigurationAnswer, HostError>?
      let question = ConfigurationQuestion(account: Lab.anna.upn, key: key, query: .all)
      lab.device.driver.lookUp(question, on: guest) { result = $0 }
      lab.wait("an answer") { result != nil }
      return try #require(result).get().values
    }

    private func deliveries(_ lab: Lab) -> [[String]] {
      lab.events.compactMap { event in
        if case .configurationDelivered(_, _, let keys, _) = event { keys } else { nil }
      }
    }

    @Test func `a running app receives changed configurations`() throws {
      let lab = try Lab(policy: .strict) { $0.appConfigurations = [Self.assignment(["a": "1"])] }
      try lab.app("managed", managed: true)
      #expect(try values(of: "a", on: "managed", in: lab) == ["1"])
      lab.device.configurations.assign([Self.assignment(["a": "2", "b": "3"])], to: Lab.anna)
      #expect(try values(of: "a", on: "managed", in: lab) == ["2"])
      lab.device.configurations.assign([], to: Lab.anna)
      #expect(try values(of: "a", on: "managed", in: lab) == [])
      #expect(deliveries(lab) == [["a"], ["a", "b"], []])
      lab.close()
    }

    @Test func `unchanged configurations are not sent again`() throws {
      let lab = try Lab(policy: .strict) { $0.appConfigurations = [Self.assignment(["a": "1"])] }
      try lab.app("managed", managed: true)
      lab.device.configurations.assign([Self.assignment(["a": "1"])], to: Lab.anna)
      #expect(deliveries(lab) == [["a"]])
      lab.close()
    }

    /// Only one message waits, and the device keeps only the latest configuration.
    @Test func `a suspended app receives only the latest configuration`() throws {
      let lab = try Lab(policy: .strict, managed: "managed")
      lab.device.guests.suspend("managed")
      let guest = try #require(lab.device.services.registry["managed"])
      let text = String(repeating: "x", count: 100_000)
      for number in 1...200 {
        lab.device.configurations.assign(
          [Self.assignment(["a": "\(number)", "text": text])], to: Lab.anna)
      }
      #expect(guest.accounts.outdatedConfigurations.count == 1)
      #expect((guest.connection?.backlog ?? 0) < 100_000)
      lab.device.guests.resume("managed")
      #expect(try values(of: "a", on: "managed", in: lab) == ["200"])
      lab.close()
    }

    @Test func `an app that never reads blocks no other app, and its queue stays small`() throws {
      let lab = try Lab(policy: .strict) { $0.limits.backlog = 200_000 }
      try lab.hostile("deaf")
      try lab.device.accounts.presetSignIn(Lab.anna, in: "hostile")
      try lab.app("managed", managed: true)
      let guest = try #require(lab.device.services.registry["hostile"])
      let text = String(repeating: "x", count: 50_000)
      for number in 1...100 {
        lab.device.configurations.assign(
          [Self.assignment(["a": "\(number)", "text": text])], to: Lab.anna)
      }
      #expect((guest.connection?.backlog ?? 0) < 400_000)
      let reader = try #require(lab.device.services.registry["managed"])
      lab.wait("the one who reads to have the latest") {
        reader.accounts.outdatedConfigurations.isEmpty && reader.connection?.backlog == 0
      }
      #expect(try values(of: "a", on: "managed", in: lab) == ["100"])
      lab.close()
    }

    @Test func `configurations that do not fit in the welcome message are sent after it`() throws {
      let text = String(repeating: "\u{1}", count: 900_000)
      let lab = try Lab(policy: .strict) {
        $0.appConfigurations = [Self.assignment(["a": "1", "text": text])]
      }
      try lab.app("managed", managed: true)
      #expect(try values(of: "a", on: "managed", in: lab) == ["1"])
      lab.close()
    }

    @Test func `configurations beyond the delivery limit are not delivered`() throws {
      let text = String(repeating: "x", count: 1_000_000)
      let lab = try Lab(policy: .strict) {
        $0.appConfigurations = (1...3).map { Self.assignment(["a\($0)": text]) }
      }
      try lab.app("managed", managed: true)
      #expect(try values(of: "a1", on: "managed", in: lab) == [])
      #expect(lab.device.configurations.warnings.map(\.code) == [.tooMuch])
      lab.close()
    }

    @Test func `a configuration lookup on an unknown guest fails`() throws {
      let lab = try Lab(policy: .strict)
      try lab.hostile("well-behaved")
      var result: Result<ConfigurationAnswer, HostError>?
      lab.device.driver.lookUp(
        ConfigurationQuestion(account: "a", key: "b"), on: "missing"
      ) { result = $0 }
      #expect(throws: HostError.self) { try #require(result).get() }
      lab.close()
    }
  }
}

/// Compares the timer queue with a list that is searched linearly.
struct AgendaTests {
  private static let accounts = ["anna", "ben", "carla"].map { Account(upn: "\($0)@contoso.com") }

  /// Returns the event's subject as a comparable text.
  private static func name(_ event: TimerQueue.ScheduledEvent) -> String {
    "\(event.time) \(event.guest) \(event.account.upn) \(event.ticket ?? -1)"
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `the timer queue keeps each account's latest event and returns events by time`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var timerQueue = TimerQueue()
    var model: [TimerQueue.ScheduledEvent] = []
    for _ in 0..<40 {
      let event = TimerQueue.ScheduledEvent(
        time: Int.random(in: 0..<10, using: &random),
        guest: Bool.random(using: &random) ? "mail" : "notes",
        account: Self.accounts[Int.random(in: 0..<3, using: &random)],
        ticket: [nil, 1, 2][Int.random(in: 0..<3, using: &random)])
      timerQueue.add(event)
      let isKnown = model.contains { Self.name($0) == Self.name(event) }
      if !isKnown {
        model.removeAll {
          $0.guest == event.guest && $0.account.isSameUser(as: event.account)
        }
        model.append(event)
      }
      #expect(model.count <= 6)
    }
    for time in 0..<10 {
      let due = model.filter { $0.time == time }.map(Self.name)
      var found: [String] = []
      while let next = timerQueue.next(until: time) { found.append(Self.name(next)) }
      #expect(found == due)
    }
    #expect(timerQueue.next(until: .max) == nil)
  }
}
