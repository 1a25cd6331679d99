import Declarations
import Foundation
import Model
import Policy
import Secrets
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// What an administrator declares reaches the processes that it is meant for, and nobody else.
  @Suite struct ManagedAppTests {
    private static let bundle = "com.example.maps"
    private static let canaries = ["canary-config", "canary-password", "canary-legacy"]

    /// - Parameter identity: the JSON of an asset's data, with its type.
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

    private func lab(_ apply: DeclarationSet? = Self.folder()) throws -> Lab {
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try install("maps", in: lab)
      if let apply { try lab.device.management.apply(apply) }
      lab.launch(["maps"])
      return lab
    }

    private func install(
      _ name: String, bundle: String = Self.bundle, team: String = "TEAM",
      kind: AppDescription.Kind = .app, management: AppDescription.Management = .possible,
      in lab: Lab
    ) throws {
      var app = AppDescription(name: name, bundleID: bundle, team: team, kind: kind)
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

    /// The last decision and its end.
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

    @Test func `an app has all of it at first, and none of it is in the journal`() throws {
      let lab = try lab()
      #expect(lab.perform(.managedApp(.configuration), on: "maps").contains("canary-config"))
      #expect(lab.perform(.managedApp(.legacyConfiguration), on: "maps").contains("canary-legacy"))
      #expect(lab.perform(.managedApp(.identifiers(.password)), on: "maps") == "wifi")
      let password = ManagedAppRequest.secret(.password, identifier: "wifi")
      #expect(lab.perform(.managedApp(password), on: "maps") == "canary-password")
      #expect(lab.perform(.managedApp(.identifiers(.certificate)), on: "maps").isEmpty)
      #expect(last(in: lab).rules == [.managedAppNothingSet])
      let unknown = ManagedAppRequest.secret(.password, identifier: "wlan")
      lab.perform(.managedApp(unknown), on: "maps")
      #expect(last(in: lab) == Answer([.managedAppNoSuchIdentifier], .failed, 1))
      let journal = try String(contentsOfFile: lab.device.journalPath, encoding: .utf8)
      for canary in Self.canaries { #expect(!journal.contains(canary)) }
      lab.close()
    }

    @Test func `only what changed is told, and once until it is asked for`() throws {
      let lab = try lab()
      try lab.device.management.apply(Self.folder(password: "another"))
      #expect(changes(in: lab).last == ["passwords"])
      let password = ManagedAppRequest.secret(.password, identifier: "wifi")
      #expect(lab.perform(.managedApp(password), on: "maps") == "another")
      try lab.device.management.apply(
        Self.folder(password: "another", list: "new", with: ["wifi", "vpn"]))
      #expect(changes(in: lab).last == ["configuration", "passwords"])
      #expect(lab.perform(.managedApp(.identifiers(.password)), on: "maps") == "wifi\nvpn")
      let count = changes(in: lab).count
      try lab.device.management.apply(
        Self.folder(password: "another", list: "new", with: ["wifi", "vpn"]))
      #expect(changes(in: lab).count == count)
      lab.close()
    }

    @Test func `an app that comes under management gets values, and loses them with it`() throws {
      let lab = try lab(nil)
      lab.perform(.managedApp(.configuration), on: "maps")
      #expect(last(in: lab) == Answer([.managedAppNotManaged], .refused))
      try lab.device.management.apply(Self.folder())
      #expect(lab.perform(.managedApp(.configuration), on: "maps").contains("canary-config"))
      try lab.device.management.apply(DeclarationSet())
      #expect(lab.perform(.managedApp(.configuration), on: "maps").isEmpty)
      #expect(last(in: lab).rules == [.managedAppNotManaged])
      let password = ManagedAppRequest.secret(.password, identifier: "wifi")
      #expect(lab.perform(.managedApp(password), on: "maps").isEmpty)
      lab.close()
    }

    @Test func `nobody else gets anything`() throws {
      let lab = try lab()
      try install("copy", team: "OTHER", in: lab)
      try install("other", bundle: "com.example.other", in: lab)
      lab.launch(["copy", "other"])
      lab.perform(.managedApp(.configuration), on: "copy")
      #expect(last(in: lab) == Answer([.managedAppOtherSignature], .refused))
      let password = ManagedAppRequest.secret(.password, identifier: "wifi")
      #expect(lab.perform(.managedApp(password), on: "other").isEmpty)
      #expect(last(in: lab) == Answer([.managedAppNotManaged], .refused))
      #expect(lab.perform(.managedApp(.configuration), on: "maps").contains("canary-config"))
      lab.close()
    }

    @Test func `who keeps an app keeps its administrator out`() throws {
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try install("maps", management: .refused, in: lab)
      try lab.device.management.apply(Self.folder())
      lab.launch(["maps"])
      lab.perform(.managedApp(.configuration), on: "maps")
      #expect(last(in: lab) == Answer([.managedAppManagementRefused], .refused))
      lab.close()
    }

    @Test func `without enrollment nothing is applied`() throws {
      let lab = try Lab()
      #expect(throws: HostError.self) { try lab.device.management.apply(Self.folder()) }
      lab.close()
    }

    @Test func `a report reaches the administrator`() throws {
      let lab = try lab()
      lab.perform(
        .managedApp(.decodingFailed(code: 100, message: "no\r\nlandmarks\u{1B}[2J\u{2028}")),
        on: "maps")
      let event = try #require(lab.device.management.events.last)
      #expect(event.app == Self.bundle)
      #expect(event.code == 100)
      #expect(event.message == "no  landmarks [2J ")
      lab.close()
    }

    @Test func `a script is told, and calls again`() throws {
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
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try lab.device.install(
        AppDescription(
          name: "maps", bundleID: Self.bundle, team: "TEAM", program: .script(path: path)))
      try lab.device.management.apply(Self.folder())
      lab.launch(["maps"])
      let file = lab.device.containerPath(of: "maps") + "/seen"
      let first = "start: canary-password, nil invalidIdentifier\n1 list\nsigned"
      lab.wait("the first look") { (try? String(contentsOfFile: file, encoding: .utf8)) == first }
      lab.wait("the report") { lab.device.management.events.last?.code == 7 }
      try lab.device.management.apply(Self.folder(password: "second"))
      let second = first + "\npasswords: second, nil invalidIdentifier\n1 list\nsigned"
      lab.wait("the second look") { (try? String(contentsOfFile: file, encoding: .utf8)) == second }
      lab.close()
    }

    @Test func `who does not ask is told once`() throws {
      let workspace = try Workspace()
      let path = try workspace.write(
        """
        local count = 0
        managed.changed(function() count = count + 1 files.write("count", tostring(count)) end)
        app.received(function() files.write("done", "1") end)
        """, to: "maps.lua")
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try lab.device.install(
        AppDescription(
          name: "maps", bundleID: Self.bundle, team: "TEAM", program: .script(path: path)))
      try lab.device.management.apply(Self.folder())
      lab.launch(["maps"])
      for number in 0..<20 { try lab.device.management.apply(Self.folder(password: "\(number)")) }
      try lab.app("other")
      lab.share("that is all", from: "other", to: "maps")
      let folder = lab.device.containerPath(of: "maps")
      lab.wait("the last event") { FileManager.default.fileExists(atPath: folder + "/done") }
      #expect(try String(contentsOfFile: folder + "/count", encoding: .utf8) == "1")
      lab.close()
    }

    // MARK: identities

    private func signature(in lab: Lab) -> [UInt8] {
      lab.performBytes(
        .managedApp(
          .sign(
            identifier: "device", .ecdsaSignatureMessageX962SHA256, Array("challenge".utf8))),
        on: "maps")
    }

    @Test func `the device signs for the app, and goes on with the key that it has saved`() throws {
      let lab = try lab()
      let request = ManagedAppRequest.secret(.identity, identifier: "device")
      let chain = lab.performBytes(.managedApp(request), on: "maps")
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
      // A new revision of the asset is a new key.
      try lab.device.management.apply(Self.folder(revision: "2"))
      #expect(changes(in: lab).last == ["identities"])
      #expect(!certificate.verifies(signature(in: lab), of: Array("challenge".utf8)))
      lab.close()
    }

    @Test func `an RSA key signs in its own way, and in no other`() throws {
      let json = #"{"URL": "https://ca.contoso.com", "Keysize": 2048, "Subject": [[["CN", "m"]]]}"#
      let lab = try lab(Self.folder(identity: ("scep", json)))
      let algorithm = try #require(
        lab.device.management.signatureAlgorithm(ofIdentity: "device", of: "maps"))
      #expect(algorithm == .rsaSignatureMessagePKCS1v15SHA256)
      let data = Array("challenge".utf8)
      let signed = lab.performBytes(
        .managedApp(.sign(identifier: "device", algorithm, data)), on: "maps")
      #expect(lab.device.management.verifies(signed, of: data, byIdentity: "device", of: "maps"))
      #expect(signature(in: lab).isEmpty)
      #expect(last(in: lab) == Answer([.managedAppSecretUnusable], .failed, 2))
      #expect(lab.device.management.signatureAlgorithm(ofIdentity: "none", of: "maps") == nil)
      lab.close()
    }

    @Test func `without the network no certificate is issued`() throws {
      let lab = try lab()
      lab.device.access.change { $0.isOnline = false }
      let request = ManagedAppRequest.secret(.identity, identifier: "device")
      lab.perform(.managedApp(request), on: "maps")
      #expect(last(in: lab) == Answer([.managedAppServerUnreachable], .failed, 3))
      lab.device.access.change { $0.isOnline = true }
      lab.perform(.managedApp(request), on: "maps")
      #expect(last(in: lab) == Answer([.managedAppProvides], .delivered))
      lab.close()
    }

    private static func file(_ sample: String, password: String = "open-sesame") -> String {
      let text = sample.filter { !$0.isWhitespace }
      return #"{"Password": "\#(password)", "Identity": "\#(text)"}"#
    }

    @Test(arguments: [
      (PKCS12Samples.valid, "open-sesame", nil),
      (PKCS12Samples.valid, "wrong", "the password does not open the PKCS #12 file"),
      (
        String(PKCS12Samples.valid.prefix(400)), "open-sesame",
        "the file is no PKCS #12 file, or is cut"
      ),
      (PKCS12Samples.expired, "open-sesame", "it expired at 2021-01-01T00:00:00Z"),
      (PKCS12Samples.future, "open-sesame", "it does not hold before 2040-01-01T00:00:00Z"),
    ])
    func `the administrator hears of an identity that is no good`(
      sample: String, password: String, fault: String?
    ) throws {
      let json = Self.file(sample, password: password)
      let lab = try lab(Self.folder(identity: ("identity", json)))
      let events = lab.device.management.events.map(\.message)
      #expect(events == (fault.map { ["identity `device`: \($0)"] } ?? []))
      let isOpened = fault?.contains("file") != true
      let request = ManagedAppRequest.secret(.identity, identifier: "device")
      lab.perform(.managedApp(request), on: "maps")
      #expect(last(in: lab).end == (isOpened ? .delivered : .failed))
      if !isOpened { #expect(last(in: lab) == Answer([.managedAppSecretUnusable], .failed, 2)) }
      lab.close()
    }
  }
}

extension Lab {
  /// The same as `perform`, with what the guest found as it is.
  fileprivate func performBytes(_ request: GuestMessage.Body, on guest: String) -> [UInt8] {
    var found: [UInt8]?
    device.driver.perform(request, on: guest) { found = $0.found }
    wait("\(guest) to have its outcome") { found != nil }
    return found ?? []
  }
}
