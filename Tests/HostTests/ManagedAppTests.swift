import Declarations
import Encodings
import Foundation
import GraphDocuments
import Model
import Policy
import Secrets
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// An administrator's declarations are sent only to the processes that they target.
  @Suite struct ManagedAppTests {
    private static let bundle = "com.example.maps"
    private static let password = ManagedAppRequest.secret(.password, identifier: "wifi")
    private static let identity = ManagedAppRequest.secret(.identity, identifier: "device")
    private static let canaries = ["canary-config", "canary-password", "canary-legacy"]

    /// Returns the declarations.
    ///
    /// - Parameter identity: The JSON of an asset's data, with its type.
    private static func folder(
      password: String = "canary-password", identity: (type: String, json: String)? = nil,
      revision: String = "1", list: String = "canary-config", with names: [String] = ["wifi"]
    ) -> DeclarationSet {
      let identity =
        identity ?? (
          "acme",
          """
          {"DirectoryURL": "https://ca.contoso.com", "ClientIdentifier": "c", "KeySize": 256,
          "KeyType": "ECSECPrimeRandom", "HardwareBound": true, "Attest": true,
          "Subject": [[["CN", "maps"]]]}
          """
        )
      let passwords = names.map { #"{"Identifier": "\#($0)", "AssetReference": "password"}"# }
      let declarations = """
        [{"Type": "com.apple.activation.simple", "Identifier": "on", "ServerToken": "1",
        "Payload": {"StandardConfigurations": ["maps"]}},
        {"Type": "com.apple.configuration.app.managed", "Identifier": "maps", "ServerToken": "1",
        "Payload": {"BundleID": "\(bundle)", "LegacyAppConfigAssetReference": "legacy",
        "AppConfig": {"DataAssetReference": "list",
        "Passwords": [\(passwords.joined(separator: ","))],
        "Identities": [{"Identifier": "device", "AssetReference": "identity"}]},
        "ExtensionConfigs": {"\(bundle).keys (TEAM)": {"DataAssetReference": "list"},
        "\(bundle).share (TEAM)": {"DataAssetReference": "list"}}}},
        \(asset("list", "data", "list.plist")), \(asset("legacy", "data", "legacy.plist")),
        \(asset("password", "credential.userpassword", "password.json")),
        \(asset("identity", "credential.\(identity.type)", "identity.json", revision))]
        """
      let files = [
        "all.json": declarations, "list.plist": plist(list), "legacy.plist": plist("canary-legacy"),
        "password.json": #"{"UserName": "anna", "Password": "\#(password)"}"#,
        "identity.json": identity.json,
      ]
      return DeclarationSet(
        DeclarationFolder(name: "folder", files: files.mapValues { Array($0.utf8) }))
    }

    private static func asset(
      _ name: String, _ type: String, _ file: String, _ revision: String = "1"
    ) -> String {
      """
      {"Type": "com.apple.asset.\(type)", "Identifier": "\(name)", "ServerToken": "\(revision)",
      "Payload": {"Reference": {"DataURL": "\(file)", "ContentType": \
      "\(file.hasSuffix("json") ? "application/json" : "application/plist")"}}}
      """
    }

    private static func plist(_ value: String) -> String {
      """
      <?xml version="1.0"?><plist version="1.0"><dict><key>stage</key><string>\(value)</string>
      </dict></plist>
      """
    }

    private func lab(
      _ apply: DeclarationSet? = Self.folder(), program: AppDescription.Program = .readyMade
    ) throws -> Lab {
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try install("maps", program: program, in: lab)
      if let apply { try lab.device.management.apply(apply) }
      lab.launch(["maps"])
      return lab
    }

    private func install(
      _ name: String, bundle: String = Self.bundle, team: String = "TEAM",
      program: AppDescription.Program = .readyMade,
      management: AppDescription.Management = .possible, in lab: Lab
    ) throws {
      var app = AppDescription(name: name, bundleID: bundle, team: team, program: program)
      app.management = management
      try lab.device.install(app)
    }

    private struct Answer: Equatable {
      var rules: [Rule]
      var end: RequestEnd?
      var status: Int

      init(_ rules: [Rule], _ end: RequestEnd?, _ status: Int = 0) {
        self.rules = rules
        self.end = end
        self.status = status
      }
    }

    /// Returns the last decision and its end.
    private func last(in lab: Lab) -> Answer {
      var rules: [Rule] = []
      var end: (RequestEnd, Int)?
      for event in lab.events {
        if case .decided(let decision) = event { rules = decision.verdict.reasons.map(\.rule) }
        if case .ended(_, let how, let status, _) = event { end = (how, status) }
      }
      return Answer(rules, end?.0, end?.1 ?? 0)
    }

    private func changes(in lab: Lab) -> [[String]] {
      lab.events.compactMap { event in
        if case .managedAppChanged(_, _, let aspects) = event { aspects } else { nil }
      }
    }

    @Test
    func `a managed app receives its complete configuration, and the journal contains no value`()
      throws
    {
      let lab = try lab()
      #expect(lab.ask(.configuration).contains("canary-config"))
      #expect(lab.ask(.legacyConfiguration).contains("canary-legacy"))
      #expect(lab.ask(.identifiers(.password)) == "wifi")
      #expect(lab.ask(Self.password) == "canary-password")
      #expect(lab.ask(.identifiers(.certificate)).isEmpty)
      #expect(last(in: lab).rules == [.managedAppNothingSet])
      lab.ask(.secret(.password, identifier: "wlan"))
      #expect(last(in: lab) == Answer([.managedAppNoSuchIdentifier], .failed, 1))
      let journal = try lab.journalText
      for canary in Self.canaries { #expect(!journal.contains(canary)) }
      lab.close()
    }

    @Test func `a managed app is notified only of the kinds of data that changed`() throws {
      let lab = try lab()
      try lab.device.management.apply(Self.folder(password: "another"))
      #expect(changes(in: lab).last == ["passwords"])
      #expect(lab.ask(Self.password) == "another")
      try lab.device.management.apply(
        Self.folder(password: "another", list: "new", with: ["wifi", "vpn"]))
      #expect(changes(in: lab).last == ["configuration", "passwords"])
      #expect(lab.ask(.identifiers(.password)) == "wifi\nvpn")
      let count = changes(in: lab).count
      try lab.device.management.apply(
        Self.folder(password: "another", list: "new", with: ["wifi", "vpn"]))
      #expect(changes(in: lab).count == count)
      lab.close()
    }

    @Test
    func `an app gets its configuration once it is managed, and loses it once it is unmanaged`()
      throws
    {
      let lab = try lab(nil)
      lab.ask(.configuration)
      #expect(last(in: lab) == Answer([.managedAppNotManaged], .refused))
      try lab.device.management.apply(Self.folder())
      #expect(lab.ask(.configuration).contains("canary-config"))
      try lab.device.management.apply(DeclarationSet())
      #expect(lab.ask(.configuration).isEmpty)
      #expect(last(in: lab).rules == [.managedAppNotManaged])
      #expect(lab.ask(Self.password).isEmpty)
      lab.close()
    }

    @Test func `an app that becomes managed gets the policies for managed devices`() throws {
      let lab = try Lab { configuration in
        configuration.state.isMDMEnrolled = true
        configuration.policies = [Targeting.Level.mdm, .unmanaged].map { level in
          PolicyAssignment(
            document: PolicyDocument(
              displayName: level.rawValue, file: "p.json",
              targeting: Targeting(appGroup: .allApps, levels: [level])),
            account: Lab.anna)
        }
      }
      var app = AppDescription(
        name: "maps", bundleID: Self.bundle, team: "TEAM", integratesSDK: true,
        configuration: ["IntuneMAMUPN": Lab.anna.upn])
      app.management = .possible
      try lab.device.install(app)
      try lab.device.accounts.presetSignIn(Lab.anna, in: "maps")
      func state() -> ManagementState? {
        lab.device.accountStates(in: "maps").first?.managementState
      }
      func policies() -> [String] {
        var last: [String] = []
        for event in lab.events {
          if case .accountEnrolled(_, _, let policies) = event { last = policies }
          if case .policyChanged(_, _, let policies) = event { last = policies }
        }
        return last.compactMap { $0.split(separator: ",").first.map(String.init) }
      }
      #expect(state() == .enrolledWithoutUPN)
      #expect(policies() == ["unmanaged"])
      try lab.device.management.apply(Self.folder())
      #expect(state() == .enrolled)
      #expect(policies() == ["mdm"])
      try lab.device.management.apply(DeclarationSet())
      #expect(state() == .enrolledWithoutUPN)
      #expect(policies() == ["unmanaged"])
      lab.close()
    }

    @Test func `values of a managed app reach no other app`() throws {
      let lab = try lab()
      try install("copy", team: "OTHER", in: lab)
      try install("other", bundle: "com.example.other", in: lab)
      lab.launch(["copy", "other"])
      lab.ask(.configuration, in: "copy")
      #expect(last(in: lab) == Answer([.managedAppOtherSignature], .refused))
      #expect(lab.ask(Self.password, in: "other").isEmpty)
      #expect(last(in: lab) == Answer([.managedAppNotManaged], .refused))
      #expect(lab.ask(.configuration).contains("canary-config"))
      lab.close()
    }

    @Test func `an app whose management the user declined receives no configuration`() throws {
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try install("maps", management: .refused, in: lab)
      try lab.device.management.apply(Self.folder())
      lab.launch(["maps"])
      lab.ask(.configuration)
      #expect(last(in: lab) == Answer([.managedAppManagementRefused], .refused))
      lab.close()
    }

    @Test func `a device that is not enrolled in MDM rejects declarations`() throws {
      let lab = try Lab()
      #expect(throws: HostError.self) { try lab.device.management.apply(Self.folder()) }
      lab.close()
    }

    @Test func `the administrator receives an app's decoding error without control characters`()
      throws
    {
      let lab = try lab()
      lab.ask(.decodingFailed(code: 100, message: "no\r\nlandmarks\u{1B}[2J\u{2028}"))
      let event = try #require(lab.device.management.events.last)
      #expect(event.app == Self.bundle)
      #expect(event.code == 100)
      #expect(event.message == "no  landmarks [2J ")
      lab.close()
    }

    @Test func `a script is notified of changed managed data, and can fetch it again`() throws {
      let workspace = try Workspace()
      let path = try workspace.write(
        """
        local seen = {}
        local function look(what)
          local password, why = managed.password("wifi")
          local missing, reason = managed.password("none")
          table.insert(seen, what .. ": " .. (password or why) .. ", " .. tostring(missing) .. " " .. reason)
          local list = managed.configuration()
          table.insert(seen, #managed.identities() .. " " .. (list and "list" or "nothing"))
          local signature = managed.sign("device", "data")
          table.insert(seen, signature and "signed" or "not signed")
          files.write("seen", table.concat(seen, "\\n"))
        end
        managed.changed(look)
        app.launched(function() look("start") managed.report(7, "a key is misspelt") end)
        """, to: "maps.lua")
      let lab = try lab(program: .script(path: path))
      let first = "start: canary-password, nil invalidIdentifier\n1 list\nsigned"
      lab.wait("the first look") { lab.file("seen", of: "maps") == first }
      lab.wait("the report") { lab.device.management.events.last?.code == 7 }
      try lab.device.management.apply(Self.folder(password: "second"))
      let second = first + "\npasswords: second, nil invalidIdentifier\n1 list\nsigned"
      lab.wait("the second look") { lab.file("seen", of: "maps") == second }
      lab.close()
    }

    @Test
    func `several changes of managed data cause one notification until the app fetches the data`()
      throws
    {
      let workspace = try Workspace()
      let path = try workspace.write(
        """
        local count = 0
        managed.changed(function() count = count + 1 files.write("count", tostring(count)) end)
        app.received(function() files.write("done", "1") end)
        """, to: "maps.lua")
      let lab = try lab(program: .script(path: path))
      for number in 0..<20 { try lab.device.management.apply(Self.folder(password: "\(number)")) }
      try lab.app("other")
      lab.share("that is all", from: "other", to: "maps")
      lab.wait("the last event") { lab.file("done", of: "maps") != nil }
      #expect(lab.file("count", of: "maps") == "1")
      lab.close()
    }

    // MARK: Identities

    private func signature(in lab: Lab) -> [UInt8] {
      lab.askBytes(
        .sign(
          identifier: "device", .ecdsaSignatureMessageX962SHA256, Array("challenge".utf8)))
    }

    @Test func `the device signs with the app's key, and keeps the key across a restart`() throws {
      let lab = try lab()
      let chain = lab.askBytes(Self.identity)
      let organization = try Certificate(
        der: lab.device.management.managedIdentities.organizationCertificate())
      let certificate = try Certificate(der: chain)
      #expect(certificate.subject == "CN=maps")
      #expect(certificate.isSigned(by: organization))
      #expect(certificate.der.contains(Array("simulated".utf8)))
      #expect(certificate.verifies(signature(in: lab), of: Array("challenge".utf8)))
      lab.device.management.managedIdentities.identities = [:]
      lab.device.management.managedIdentities.knownAuthority = nil
      #expect(certificate.verifies(signature(in: lab), of: Array("challenge".utf8)))
      // A new revision of the asset creates a new key.
      try lab.device.management.apply(Self.folder(revision: "2"))
      #expect(changes(in: lab).last == ["identities"])
      #expect(!certificate.verifies(signature(in: lab), of: Array("challenge".utf8)))
      lab.close()
    }

    @Test func `an RSA key signs only with its own algorithm`() throws {
      let json = #"{"URL": "https://ca.contoso.com", "Keysize": 2048, "Subject": [[["CN", "m"]]]}"#
      let lab = try lab(Self.folder(identity: ("scep", json)))
      let algorithm = try #require(
        lab.device.management.signatureAlgorithm(ofIdentity: "device", of: "maps"))
      #expect(algorithm == .rsaSignatureMessagePKCS1v15SHA256)
      let data = Array("challenge".utf8)
      let signed = lab.askBytes(.sign(identifier: "device", algorithm, data))
      #expect(lab.device.management.verifies(signed, of: data, byIdentity: "device", of: "maps"))
      #expect(signature(in: lab).isEmpty)
      #expect(last(in: lab) == Answer([.managedAppSecretUnusable], .failed, 2))
      #expect(lab.device.management.signatureAlgorithm(ofIdentity: "none", of: "maps") == nil)
      lab.close()
    }

    @Test func `without a network, no certificate is issued to a managed app`() throws {
      let lab = try lab()
      lab.device.access.change { $0.isOnline = false }
      lab.ask(Self.identity)
      #expect(last(in: lab) == Answer([.managedAppServerUnreachable], .failed, 3))
      lab.device.access.change { $0.isOnline = true }
      lab.ask(Self.identity)
      #expect(last(in: lab) == Answer([.managedAppProvides], .delivered))
      lab.close()
    }

    @Test(arguments: [
      (PKCS12Samples.valid, "open-sesame", nil),
      (PKCS12Samples.valid, "wrong", "the password of the PKCS #12 file is wrong"),
      (
        String(PKCS12Samples.valid.prefix(400)), "open-sesame",
        "the file is not a PKCS #12 file, or is truncated"
      ),
      (PKCS12Samples.expired, "open-sesame", "it expired at 2021-01-01T00:00:00Z"),
      (PKCS12Samples.future, "open-sesame", "it is not valid before 2040-01-01T00:00:00Z"),
    ])
    func `an unusable identity is reported to the administrator`(
      sample: String, password: String, fault: String?
    ) throws {
      let text = sample.filter { !$0.isWhitespace }
      let json = #"{"Password": "\#(password)", "Identity": "\#(text)"}"#
      let lab = try lab(Self.folder(identity: ("identity", json)))
      let events = lab.device.management.events.map(\.message)
      #expect(events == (fault.map { ["identity `device`: \($0)"] } ?? []))
      let isOpened = fault?.contains("file") != true
      lab.ask(Self.identity)
      #expect(last(in: lab).end == (isOpened ? .delivered : .failed))
      if !isOpened { #expect(last(in: lab) == Answer([.managedAppSecretUnusable], .failed, 2)) }
      lab.close()
    }
  }
}

extension Lab {
  /// Returns what an app receives from its administrator.
  @discardableResult
  fileprivate func ask(_ request: ManagedAppRequest, in guest: String = "maps") -> String {
    perform(.managedApp(request), on: guest)
  }

  /// Returns the value's bytes.
  fileprivate func askBytes(_ request: ManagedAppRequest) -> [UInt8] {
    var found: [UInt8]?
    device.driver.perform(.managedApp(request), on: "maps") { found = $0.found }
    wait("maps to have its outcome") { found != nil }
    return found ?? []
  }
}

extension RealProcesses {
  /// Returns declarations that prevent the launch of an app.
  @Suite struct AppAccessTests {
    private static func denying(_ bundle: String) -> DeclarationSet {
      let text = """
        [{"Type": "com.apple.activation.simple", "Identifier": "on", "ServerToken": "1",
        "Payload": {"StandardConfigurations": ["none"]}},
        {"Type": "com.apple.configuration.app.settings", "Identifier": "none", "ServerToken": "1",
        "Payload": {"Allowed": {"DeniedApps": ["\(bundle)"]}}}]
        """
      return DeclarationSet(
        DeclarationFolder(name: "folder", files: ["all.json": Array(text.utf8)]))
    }

    @Test func `an app that a declaration denies is terminated, and starts only once allowed`()
      throws
    {
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try lab.app("notes", bundle: "com.contoso.notes")
      try lab.app("mail", bundle: "com.contoso.mail")
      try lab.device.management.apply(Self.denying("com.contoso.notes"))
      lab.wait("the end of notes") { !lab.device.guests.isRunning("notes") }
      #expect(lab.device.guests.isRunning("mail"))
      #expect(lab.device.management.ban(on: "notes") == .denied(by: "none"))
      lab.launch(["notes"])
      #expect(
        lab.device.guests.exitCause(of: "notes")
          == .notStarted("the declaration `none` denies it (`DeniedApps`)"))
      try lab.device.management.apply(DeclarationSet())
      lab.launch(["notes"])
      #expect(lab.device.guests.isRunning("notes"))
      lab.close()
    }
  }

  /// Tests the example app with the module ManagedApp, and the example of its administrator.
  @Suite(.serverPrograms) struct LandmarksTests {
    private static let example = URL(fileURLWithPath: Lab.programs).deletingLastPathComponent()
      .appendingPathComponent("examples/declarations/landmarks").path

    /// Returns the example's folder with another text in the configuration, and another password.
    private static func folder(
      _ old: String = "", _ new: String = "", password: String? = nil
    ) throws -> DeclarationSet {
      var files = try DeclarationFolder(at: example).files
      let swap = { (name: String, old: String, new: String) in
        let text = String(decoding: files[name] ?? [], as: UTF8.self)
        files[name] = Array(text.replacing(old, with: new).utf8)
      }
      if !old.isEmpty { swap("data/collection.plist", old, new) }
      if let password { swap("data/classroom.json", "only-for-the-example", password) }
      // Sizes and hashes are those of the files on disk.
      let assets = try #require(
        JSONSerialization.jsonObject(with: Data(files["assets.json"] ?? [])) as? [[String: Any]])
      let open = assets.map { asset in
        var asset = asset
        var payload = asset["Payload"] as? [String: Any] ?? [:]
        var reference = payload["Reference"] as? [String: Any] ?? [:]
        reference["Size"] = nil
        reference["Hash-SHA-256"] = nil
        payload["Reference"] = reference
        asset["Payload"] = payload
        return asset
      }
      files["assets.json"] = try Array(JSONSerialization.data(withJSONObject: open))
      return DeclarationSet(DeclarationFolder(name: "landmarks", files: files))
    }

    private func lab(_ declarations: DeclarationSet?) throws -> Lab {
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try lab.device.install(
        AppDescription(
          name: "landmarks", bundleID: "com.contoso.landmarks", team: "CONTOSO123",
          program: .executable(path: "\(TLSLab.programs)/landmarks", arguments: []),
          usesDispatch: true))
      if let declarations { try lab.device.management.apply(declarations) }
      lab.launch(["landmarks"])
      return lab
    }

    private func expect(_ text: String, in name: String, of lab: Lab) {
      lab.wait("`\(name)`") { lab.file(name, of: "landmarks") == text }
    }

    @Test func `configuration and passwords of an app are removed with their declarations`() throws
    {
      let lab = try lab(Self.folder())
      expect("Rivers and lakes\n1003\n1012\n", in: "collection", of: lab)
      expect("classroom: 20 characters\n", in: "secrets", of: lab)
      try lab.device.management.apply(
        Self.folder("Rivers and lakes", "Mountains", password: "short"))
      expect("Mountains\n1003\n1012\n", in: "collection", of: lab)
      expect("classroom: 5 characters\n", in: "secrets", of: lab)
      try lab.device.management.apply(DeclarationSet())
      expect("", in: "collection", of: lab)
      expect("", in: "secrets", of: lab)
      try lab.device.management.apply(Self.folder())
      expect("Rivers and lakes\n1003\n1012\n", in: "collection", of: lab)
      lab.close()
    }

    @Test(arguments: [
      (
        "<string>Rivers and lakes</string>", "<integer>7</integer>", 1_879_048_195,
        "the value at `collection.name` is not of type String"
      ),
      (
        "<key>name</key>", "<key>title</key>", 1_879_048_194,
        "the key `name` at `collection` is missing"
      ),
      (
        "<integer>1003</integer>\n      <integer>1012</integer>", "", 100,
        "the collection has no landmarks"
      ),
    ])
    func `an undecodable configuration is reported to the administrator and not given to the app`(
      old: String, new: String, code: Int, message: String
    ) throws {
      let lab = try lab(Self.folder(old, new))
      lab.wait("the event") { !lab.device.management.events.isEmpty }
      let event = try #require(lab.device.management.events.first)
      #expect(event.app == "com.contoso.landmarks")
      #expect(event.code == code)
      #expect(event.message == message)
      expect("", in: "collection", of: lab)
      let report = try #require(lab.device.management.statusReport)
      #expect(JSONWriter.text { report.write(to: &$0) }.contains(#""invalid""#))
      // A corrected folder is accepted.
      try lab.device.management.apply(Self.folder())
      expect("Rivers and lakes\n1003\n1012\n", in: "collection", of: lab)
      lab.close()
    }

    @Test func `the signing key is neither in the app's memory nor in its files`() throws {
      let lab = try lab(Self.folder())
      let text = lab.report("signature", of: "landmarks").trimmingCharacters(in: .newlines)
      let signature = try #require(Data(base64Encoded: text))
      let identity = try #require(lab.device.management.managedIdentities.identities.values.first)
      #expect(
        identity.certificates[0].verifies(
          Array(signature), of: Array("Rivers and lakes".utf8)))
      // The private number is after the prefix of `ECPrivateKey` (RFC 5915).
      let key = identity.key.der
      #expect(Array(key[2..<7]) == [2, 1, 1, 4, 32])
      let number = Data(key[7..<39])
      let pid = try #require(lab.device.guests.processIdentifier(of: "landmarks"))
      let memory = try ProcessMemory(of: pid)
      #expect(try memory.contains(Data("com.contoso.landmarks".utf8)))
      #expect(try !memory.contains(number))
      for path in FileManager.default.subpaths(
        atPath: lab.device.containerPath(of: "landmarks")) ?? []
      {
        let content = FileManager.default.contents(
          atPath: lab.device.containerPath(of: "landmarks") + "/" + path)
        #expect(content?.range(of: number) == nil)
      }
      lab.close()
    }
  }
}
