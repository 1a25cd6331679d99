import Encodings
import Foundation
import Model
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice device` and `sluice run --device`.
  @Suite struct DeviceCommandTests {
    private static let scenario = """
      name: Vault
      device: { name: phone }
      accounts:
        anna: { upn: anna@contoso.com, objectId: 0f8fad5b-d9cb-469f-a165-70867728950e }
        ben: { upn: ben@contoso.com }
      policies:
        base:
          json: { "displayName": "Base", "appDataEncryptionType": "whenDeviceLocked" }
          assign: [{ account: anna, apps: [org.example.vault] }, { account: ben, apps: [org.example.vault] }]
      apps:
        vault: { bundle: org.example.vault, team: EXAMPLE456, sdk: true, multiIdentity: true, signedIn: [anna] }
      cases:
        - name: an item is kept
          steps:
            - launch: vault
            - keychainAdd: { app: vault, service: door, account: x, value: canary }
            - advance: PT1H
        - name: the next case finds it
          steps:
            - launch: vault
            - keychainQuery: { app: vault, service: door, account: x }
              expect: { end: delivered, received: canary }

      """

    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Self.scenario, to: "vault.yaml")
    }

    @discardableResult
    private func create(_ folder: String = "phone", ends status: Int32 = 0) throws -> Desk.Ended {
      try desk.sluice("device", "create", folder, "--scenario", "vault.yaml", ends: status)
    }

    // MARK: Create

    @Test(arguments: ["phone", "empty", "empty/"])
    func `sluice device create makes the scenario's apps and accounts without a guest`(
      folder: String
    ) throws {
      try desk.folder.makeFolder("empty")
      let made = try create(folder)
      #expect(made.output == "created the device phone in \(folder)\n")
      #expect(try desk.folder.names(in: folder) == ["device.sqlite", "journal.jsonl"])
      let shown = try desk.sluice("device", "show", folder, ends: 0)
      #expect(shown.lines.first == "phone")
      #expect(
        shown.output.contains(
          "  vault  org.example.vault  EXAMPLE456\n    anna@contoso.com  enrolled"))
      #expect(shown.output.contains("  clock     2026-01-01T00:00:00Z\n"))
    }

    @Test
    func `sluice device show lists each guest of an app with the app's bundle id`() throws {
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com } }
        apps: { mail: { bundle: com.contoso.mail, sdk: true, count: 2, signedIn: [anna] } }
        steps: [{ launch: mail }]

        """, to: "fleet.yaml")
      try desk.sluice("run", "fleet.yaml", "--output-dir", "kept", ends: 0)
      let shown = try desk.sluice("device", "show", "kept/1").output
      #expect(shown.contains("  mail-1  com.contoso.mail  "))
      #expect(shown.contains("  mail-2  com.contoso.mail  "))
    }

    @Test func `sluice device create does not overwrite a non-empty folder`() throws {
      try desk.folder.write("mine", to: "phone/note.txt")
      let ended = try create(ends: 2)
      #expect(
        ended.errors
          == "phone: error: the folder is not empty; name a new or an empty folder [device]\n")
      #expect(try desk.folder.names(in: "phone") == ["note.txt"])
    }

    @Test(arguments: [("signedIn: [anna]", "signedIn: [anna, ben]"), ("anna, apps", "ana, apps")])
    func `a failed sluice device create leaves no files`(old: String, new: String) throws {
      try desk.folder.write(Self.scenario.replacing(old, with: new), to: "vault.yaml")
      try desk.folder.makeFolder("empty")
      #expect(chmod(desk.folder.path("empty"), 0o750) == 0)
      for folder in ["phone", "empty"] {
        let ended = try create(folder, ends: 2)
        #expect(ended.errors.hasPrefix("vault.yaml:"))
      }
      #expect(!desk.folder.has("phone"))
      #expect(try desk.folder.names(in: "empty").isEmpty)
      let left = try FileManager.default.attributesOfItem(atPath: desk.folder.path("empty"))
      #expect(left[.posixPermissions] as? Int == 0o750)
    }

    // MARK: Run

    @Test func `each case on a stored device starts from the previous case's final state`() throws {
      try create()
      let first = try desk.sluice("run", "vault.yaml", "--device", "phone", ends: 0)
      #expect(first.lines.last == "2 cases: 2 passed (1 expects nothing)")
      let again = try desk.sluice("run", "vault.yaml", "--device", "phone", "--filter", "next")
      #expect(
        again.lines == [
          "Vault (vault.yaml)", "  passed the next case finds it", "1 case: 1 passed",
        ])
      let journal = try Journal(desk.folder.path("phone"))
      #expect(journal.sequences == Array(1...journal.events.count))
      #expect(journal.events.last == .deviceStopped)
      let shown = try desk.sluice("device", "show", "phone").output
      #expect(shown.contains("  clock     2026-01-01T01:00:00Z\n"))
      #expect(shown.contains("door  x  6 bytes"))
      #expect(!shown.contains("canary"))
    }

    @Test func `the error about a scenario for another device names both devices`() throws {
      try create()
      try desk.folder.write(
        Self.scenario.replacing("name: phone", with: "name: tablet"), to: "other.yaml")
      let before = try desk.folder.read("phone/journal.jsonl")
      let ended = try desk.sluice("run", "vault.yaml", "other.yaml", "--device", "phone", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(
        ended.errors
          == "other.yaml:1:1: error: the scenario is for the device `tablet`, but the folder `phone` "
          + "stores the device `phone` [device]\n")
      #expect(try desk.folder.read("phone/journal.jsonl") == before)
    }

    @Test func `an app of a stored device cannot change its bundle id`() throws {
      try create()
      try desk.folder.write(
        Self.scenario.replacing("bundle: org.example.vault", with: "bundle: org.example.thief"),
        to: "other.yaml")
      let ended = try desk.sluice("run", "other.yaml", "--device", "phone", ends: 2)
      #expect(
        ended.errors.contains(
          "the device has an app `vault` with the bundle id `org.example.vault`; choose another name for the app `org.example.thief`"
        ))
    }

    @Test(arguments: ["missing", "empty"])
    func `device commands reject a folder that is not a device`(folder: String) throws {
      try desk.folder.write("", to: "empty/.keep")
      let lines = [
        ["run", "vault.yaml", "--device", folder], ["device", "show", folder],
        ["device", "export", folder], ["device", "reset", folder, "--yes"],
      ]
      for line in lines {
        let ended = try desk.sluice(line, ends: 2)
        #expect(ended.output.isEmpty)
        #expect(ended.errors.hasPrefix("\(folder): error: "))
      }
      #expect(!desk.folder.has("missing"))
      #expect(try desk.folder.names(in: "empty") == [".keep"])
    }

    @Test func `a device in use can be shown, but not run or reset`() throws {
      try create()
      try desk.folder.write(
        Self.scenario.replacing("- advance: PT1H", with: "- { advance: PT1S, repeat: 1000000 }"),
        to: "long.yaml")
      let size = try desk.folder.read("phone/journal.jsonl").utf8.count
      // The device runs on a separate desk, because the outputs would otherwise be mixed.
      let running = try Desk().start(
        Desk.program, ["run", desk.folder.path("long.yaml"), "--device", desk.folder.path("phone")])
      defer {
        kill(running.processIdentifier, SIGKILL)
        running.waitUntilExit()
      }
      try waitUntil("the device is at work") {
        try desk.folder.read("phone/journal.jsonl").utf8.count > size + 5_000
      }
      for line in [
        ["run", "vault.yaml", "--device", "phone"], ["device", "reset", "phone", "--yes"],
      ] {
        let ended = try desk.sluice(line, ends: 2)
        #expect(ended.errors.hasPrefix("phone: error: the device in `phone"))
        #expect(ended.errors.hasSuffix("` is in use [device]\n"))
      }
      let shown = try desk.sluice("device", "show", "phone", ends: 0)
      #expect(shown.output.contains("  state     in use\n"))
      #expect(running.isRunning)
    }

    // MARK: Export

    @Test func `sluice device export prints the same JSON as sluice device show`() throws {
      try create()
      let export = try desk.sluice("device", "export", "phone", ends: 0)
      #expect(
        export.output == (try desk.sluice("device", "show", "phone", "--format", "json").output))
      let json = try export.json()
      #expect(json["schema"]?.string == "sluice.device.1")
      #expect(
        json["journal"]?["events"]?.int == (try Journal(desk.folder.path("phone")).events.count))
      let written = try desk.sluice("device", "export", "phone", "--output", "phone.json")
      #expect(written.output.isEmpty)
      #expect(try desk.folder.read("phone.json") == export.output)
      try desk.sluice("device", "export", "phone", "--output", "missing/phone.json", ends: 2)
    }

    // MARK: Reset

    @Test func `an erased device keeps its name and can run scenarios again`() throws {
      try create()
      try desk.sluice("run", "vault.yaml", "--device", "phone")
      let ended = try desk.sluice("device", "reset", "phone", "--yes", ends: 0)
      #expect(ended.output == "erased the device phone in phone\n")
      #expect(try desk.folder.names(in: "phone") == ["device.sqlite"])
      let shown = try desk.sluice("device", "show", "phone").output
      #expect(shown.hasPrefix("phone\n") && shown.contains("Apps\n  none\n"))
      try desk.sluice("run", "vault.yaml", "--device", "phone", ends: 0)
      #expect(try !desk.sluice("device", "show", "phone").output.contains("anna"))
    }

    @Test func `a run after an erasure appends to the preserved journal`() throws {
      try create()
      let before = try desk.folder.read("phone/journal.jsonl")
      try desk.sluice("device", "reset", "phone", "--yes", "--keep-journal")
      try desk.sluice("run", "vault.yaml", "--device", "phone")
      let journal = try Journal(desk.folder.path("phone"))
      #expect(try desk.folder.read("phone/journal.jsonl").hasPrefix(before))
      #expect(journal.sequences == Array(1...journal.events.count))
    }

    @Test func `sluice device reset requires --yes if there is no terminal`() throws {
      try create()
      let ended = try desk.sluice("device", "reset", "phone", ends: 64)
      #expect(ended.errors.contains("--yes"))
      #expect(try desk.folder.names(in: "phone") == ["device.sqlite", "journal.jsonl"])
    }

    @Test(arguments: [("n\n", 1, 2), ("y\n", 0, 1)])
    func `sluice device reset asks for confirmation on a terminal`(
      answer: String, status: Int32, left: Int
    ) throws {
      try create()
      let ended = try desk.run(
        "/usr/bin/script", ["-qec", "'\(Desk.program)' device reset phone", "/dev/null"],
        input: answer, ends: status)
      #expect(
        ended.output.contains("Erase all content and settings of the device phone in phone? [y/N]"))
      #expect(try desk.folder.names(in: "phone").count == left)
    }

    // MARK: Usage

    @Test(
      arguments: [
        "run vault.yaml --device phone --output-dir kept", "device create phone", "device show",
        "device show phone --format xml", "device",
      ])
    func `invalid options of device commands exit with 64`(line: String) throws {
      let ended = try desk.sluice(line: line, ends: line == "device" ? 0 : 64)
      if line != "device" { #expect(ended.errors.contains("Usage: sluice")) }
    }
  }
}
