import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  @Suite struct FileTests {
    private static let canary = "canary-4711 of the organisation"
    private static func lab(
      encrypts: Bool = true, account: Account = Lab.anna,
      _ adjust: (inout DeviceConfiguration) -> Void = { _ in }
    ) throws -> Lab {
      let lab = try Lab(policy: .encrypting(encrypts), adjust)
      try lab.installForSeveralAccounts(account)
      lab.launch(["managed"])
      return lab
    }

    private static func raw(_ path: String, _ lab: Lab) -> [UInt8]? {
      FileManager.default.contents(atPath: "\(lab.device.containerPath(of: "managed"))/\(path)")
        .map(Array.init)
    }

    private static func shows(_ bytes: [UInt8]?, _ text: String) -> Bool {
      Data(bytes ?? []).range(of: Data(text.utf8)) != nil
    }

    @Test(arguments: [true, false])
    func `protected files contain no plain text on disk`(encrypts: Bool) throws {
      let lab = try Self.lab(encrypts: encrypts)
      lab.work(.write, "a.txt", Self.canary)
      #expect(Self.shows(Self.raw("a.txt", lab), "canary") == !encrypts)
      #expect(lab.work(.read, "a.txt").text == Self.canary)
      #expect(lab.device.files.contents(ofFile: "a.txt", in: "managed") == Array(Self.canary.utf8))
      lab.close()
    }

    @Test(arguments: [Lab.anna.upn, "Anna@Contoso.COM"])
    func `files are encrypted or decrypted again if the policy changes the protection`(upn: String)
      throws
    {
      let account = Account(
        upn: upn, objectID: Lab.anna.objectID, tenantID: Lab.anna.tenantID)
      let lab = try Self.lab(encrypts: false, account: account)
      lab.work(.write, "deep/a.txt", Self.canary)
      #expect(Self.shows(Self.raw("deep/a.txt", lab), "canary"))
      for encrypts in [true, false] {
        let policy = PolicyDocument(
          displayName: "other", file: "other.json", settings: .encrypting(encrypts))
        lab.device.enrollment.assign(
          [PolicyAssignment(document: policy, account: Lab.anna, apps: ["com.example.managed"])],
          to: Lab.anna)
        lab.wait("the file to be protected again") {
          Self.shows(Self.raw("deep/a.txt", lab), "canary") != encrypts
        }
        #expect(lab.work(.read, "deep/a.txt").text == Self.canary)
      }
      lab.close()
    }

    @Test func `reading a truncated or changed file fails and returns no text`() throws {
      let lab = try Self.lab()
      let container = lab.device.containerPath(of: "managed")
      func expectNothingRead(_ damage: String, _ change: (inout Data) -> Void) throws {
        let name = "\(damage).txt"
        lab.work(.write, name, Self.canary)
        let whole = try #require(FileManager.default.contents(atPath: "\(container)/\(name)"))
        var bytes = whole
        change(&bytes)
        try bytes.write(to: URL(fileURLWithPath: "\(container)/\(name)"))
        let read = lab.work(.read, name)
        #expect(read.text == "", "\(damage)")
        guard !bytes.isEmpty else { return }
        let isFailed = bytes.count < whole.count && lab.ends.last?.end == .failed
        let isRefused = bytes.count == whole.count && lab.ends.last?.end != .delivered
        #expect(read.failure?.contains(name) ?? (isFailed || isRefused), "\(damage)")
      }
      for length in [0, 100, 4096, 5000, 8191] {
        try expectNothingRead("cut at \(length)") { $0 = $0.prefix(length) }
      }
      for offset in [20, 60, 3600, 4100, 8200] {
        try expectNothingRead("altered at \(offset)") { $0[offset] ^= 1 }
      }
      lab.close()
    }

    @Test func `opening a file whose key was destroyed is allowed by the policy but fails`() throws
    {
      let lab = try Self.lab()
      lab.work(.write, "a.txt", Self.canary)
      try lab.device.storage.database.destroyAccountKey(of: Lab.anna)
      lab.work(.read, "a.txt")
      let decision = try #require(lab.decisions.last)
      #expect(decision.verdict.outcome == .allowed)
      #expect(decision.verdict.deciding == .fileOfIdentity)
      #expect(decision.owner == Lab.anna.upn)
      let failures = lab.events.compactMap { event in
        if case .ended(_, .failed, let status, let detail) = event {
          "\(status) \(detail ?? "")"
        } else {
          nil
        }
      }
      #expect(
        failures == [
          "103 the key of `anna@contoso.com` is destroyed, so `Containers/managed/a.txt` is lost"
        ])
      lab.close()
    }

    @Test func `opening a missing file has the verdict noRuleApplied and fails`() throws {
      let lab = try Self.lab()
      lab.work(.read, "missing.txt")
      #expect(lab.decisions.map(\.verdict.deciding) == [.noRuleApplied])
      #expect(lab.ends.map(\.end) == [.failed])
      lab.close()
    }

    @Test func `a guest's path out of its container is rejected`() throws {
      let lab = try Self.lab()
      let paths = ["../managed/a.txt", "/etc/passwd", "a/../../b", "", ".", "a\0b"]
      for path in paths {
        lab.perform(.openFile(OpenFile(FileReference(path), mode: .truncating)), on: "managed")
      }
      #expect(lab.decisions.map(\.verdict.deciding) == paths.map { _ in .fileOutsideContainer })
      #expect(lab.ends.map(\.end) == paths.map { _ in .refused })
      lab.close()
    }

    @Test func `a symbolic link to a file outside the guest's container is not followed`() throws {
      let lab = try Self.lab()
      let outside = NSTemporaryDirectory() + "sluice-outside-\(UUID().uuidString)"
      try Data("kept".utf8).write(to: URL(fileURLWithPath: outside))
      defer { try? FileManager.default.removeItem(atPath: outside) }
      let container = lab.device.containerPath(of: "managed")
      try FileManager.default.createSymbolicLink(
        atPath: "\(container)/link", withDestinationPath: outside)
      for mode in FileMode.allCases {
        lab.perform(.openFile(OpenFile(FileReference("link"), mode: mode)), on: "managed")
      }
      lab.perform(.moveFile(FileReference("link"), to: FileReference("other")), on: "managed")
      #expect(Set(lab.ends.map(\.end)) == [.failed])
      #expect(FileManager.default.contents(atPath: outside) == Data("kept".utf8))
      lab.close()
    }

    @Test func `a guest can write and read a file whose name is not UTF-8`() throws {
      let lab = try Self.lab()
      let file = FileReference([0xFF, 0xFE, 0x61])
      for kind in [FileWork.Kind.write, .read] {
        let done = lab.work(FileWork(kind, file, content: Array("x".utf8)))
        #expect(done.failure == nil)
      }
      #expect(lab.ends.map(\.end) == [.delivered, .delivered])
      #expect(lab.decisions.last?.subject == "Containers/managed/\\xff\\xfea")
      lab.close()
    }

    @Test func `a write beyond the file size limit leaves the file unchanged`() throws {
      let lab = try Self.lab { $0.limits.fileSize = 64 * 1024 }
      lab.work(.write, "a.txt", Self.canary)
      let much = String(repeating: "x", count: 200_000)
      let grown = lab.work(.append, "a.txt", much)
      #expect(grown.failure?.contains("a.txt") ?? false)
      #expect(lab.work(.read, "a.txt").text == Self.canary)
      lab.close()
    }

    @Test func `an account's files survive a restart and keep their owner`() throws {
      let workspace = try Workspace()
      do {
        let lab = try Self.lab { $0.folder = workspace.path("device") }
        lab.work(.write, "a.txt", Self.canary)
        lab.close()
      }
      let lab = try Lab(policy: .encrypting()) { $0.folder = workspace.path("device") }
      try lab.installForSeveralAccounts(nil)
      lab.launch(["managed"])
      #expect(lab.work(.read, "a.txt").text == Self.canary)
      lab.work(.read, "a.txt", as: TaskContext(thread: ""))
      #expect(lab.decisions.last?.verdict.deciding == .fileOfOtherIdentity)
      lab.close()
    }
  }

  /// Tests a separate program that uses all of SluiceKit's API for files, data and identities.
  @Suite struct FileProbeTests {
    private static let ben = Account(upn: "ben@example.org")

    @Test(arguments: [true, false])
    func `all file calls work for managed and unmanaged accounts`(
      isManaged: Bool
    ) throws {
      let lab = try Lab(policy: .encrypting())
      try lab.device.install(
        AppDescription(
          name: "probe", bundleID: "com.example.managed",
          program: .executable(path: "\(Lab.programs)/file-probe", arguments: []),
          integratesSDK: true, isMultiIdentity: true, schemes: ["probe"],
          appGroups: ["group.com.example.probe"]))
      let account = isManaged ? Lab.anna : Self.ben
      try lab.device.accounts.presetSignIn(account, in: "probe")
      try lab.app("opener")
      lab.launch(["probe"])
      lab.perform(.openURL(OpenURL("probe:\(account.upn)")), on: "opener")
      #expect(lab.report("report", of: "probe") == "ok")
      lab.close()
    }
  }
}
