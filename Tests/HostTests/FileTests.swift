import Foundation
import Model
import Policy
import Testing
import Wire

@testable import Host

extension RealProcesses {
  @Suite struct FileTests {
    private static let canary = "canary-4711 of the organisation"
    private static let anna = TaskContext(thread: Lab.anna.upn)

    private static func lab(
      encrypts: Bool = true, account: Account = Lab.anna,
      _ adjust: (inout DeviceConfiguration) -> Void = { _ in }
    ) throws -> Lab {
      let lab = try Lab(policy: settings(encrypts: encrypts), adjust)
      try lab.device.install(
        AppDescription(
          name: "managed", bundleID: "com.example.managed", integratesSDK: true,
          isMultiIdentity: true))
      try lab.device.accounts.presetSignIn(account, in: "managed")
      lab.launch(["managed"])
      return lab
    }

    private static func settings(encrypts: Bool) -> Settings {
      var settings = Settings()
      settings.appDataEncryptionType = encrypts ? .whenDeviceLocked : .useDeviceSettings
      return settings
    }

    private static func raw(_ path: String, _ lab: Lab) -> [UInt8]? {
      FileManager.default.contents(atPath: "\(lab.device.containerPath(of: "managed"))/\(path)")
        .map(Array.init)
    }

    private static func shows(_ bytes: [UInt8]?, _ text: String) -> Bool {
      Data(bytes ?? []).range(of: Data(text.utf8)) != nil
    }

    @Test(arguments: [true, false])
    func `the disk shows no plain text where the policy calls for that`(encrypts: Bool) throws {
      let lab = try Self.lab(encrypts: encrypts)
      lab.work(.write, "a.txt", Self.canary, as: Self.anna, on: "managed")
      #expect(Self.shows(Self.raw("a.txt", lab), "canary") == !encrypts)
      #expect(lab.work(.read, "a.txt", as: Self.anna, on: "managed").text == Self.canary)
      #expect(lab.device.files.contents(ofFile: "a.txt", in: "managed") == Array(Self.canary.utf8))
      lab.close()
    }

    @Test(arguments: [Lab.anna.upn, "Anna@Contoso.COM"])
    func `files are protected again when the policy wants another storage`(upn: String) throws {
      let account = Account(
        upn: upn, objectID: Lab.anna.objectID, tenantID: Lab.anna.tenantID)
      let lab = try Self.lab(encrypts: false, account: account)
      lab.work(.write, "deep/a.txt", Self.canary, as: Self.anna, on: "managed")
      #expect(Self.shows(Self.raw("deep/a.txt", lab), "canary"))
      for encrypts in [true, false] {
        lab.device.enrollment.assign(
          [
            PolicyDocument(
              displayName: "other", file: "other.json", settings: Self.settings(encrypts: encrypts))
          ], to: Lab.anna, apps: ["com.example.managed"])
        lab.wait("the file to be protected again") {
          Self.shows(Self.raw("deep/a.txt", lab), "canary") != encrypts
        }
        #expect(lab.work(.read, "deep/a.txt", as: Self.anna, on: "managed").text == Self.canary)
      }
      lab.close()
    }

    @Test(arguments: [0, 100, 4096, 5000, 8191])
    func `a file that was cut is named, and never read`(length: Int) throws {
      let lab = try Self.lab()
      lab.work(.write, "a.txt", Self.canary, as: Self.anna, on: "managed")
      let path = lab.device.containerPath(of: "managed") + "/a.txt"
      try #require(FileHandle(forUpdatingAtPath: path)).truncate(atOffset: UInt64(length))
      let read = lab.work(.read, "a.txt", as: Self.anna, on: "managed")
      #expect(read.text == "")
      #expect(length == 0 || read.failure?.contains("a.txt") ?? (lab.ends.last?.end == .failed))
      lab.close()
    }

    @Test(arguments: [20, 60, 3600, 4100, 8200])
    func `a file that was altered is named, and never read`(offset: Int) throws {
      let lab = try Self.lab()
      lab.work(.write, "a.txt", Self.canary, as: Self.anna, on: "managed")
      let path = lab.device.containerPath(of: "managed") + "/a.txt"
      var bytes = try #require(FileManager.default.contents(atPath: path))
      bytes[offset] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      let read = lab.work(.read, "a.txt", as: Self.anna, on: "managed")
      #expect(read.text == "")
      #expect(read.failure?.contains("a.txt") ?? (lab.ends.last?.end != .delivered))
      lab.close()
    }

    @Test(arguments: ["../managed/a.txt", "/etc/passwd", "a/../../b", "", ".", "a\0b"])
    func `a path that leaves the container is refused`(path: String) throws {
      let lab = try Self.lab()
      lab.perform(
        .openFile(OpenFile(FileReference(path), mode: .truncate)), on: "managed")
      #expect(lab.decisions.map(\.verdict.deciding) == [.fileOutsideContainer])
      #expect(lab.ends.map(\.end) == [.refused])
      lab.close()
    }

    @Test func `a link out of the container is not followed`() throws {
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

    @Test func `a name that is no UTF-8 is a name like others`() throws {
      let lab = try Self.lab()
      let file = FileReference([0xFF, 0xFE, 0x61])
      for kind in [FileWork.Kind.write, .read] {
        let done = lab.work(FileWork(kind, file, content: Array("x".utf8)), as: Self.anna)
        #expect(done.failure == nil)
      }
      #expect(lab.ends.map(\.end) == [.delivered, .delivered])
      #expect(lab.decisions.last?.subject == "Containers/managed/\\xff\\xfea")
      lab.close()
    }

    @Test func `a file that grows beyond what the disk takes stays as it was`() throws {
      let lab = try Self.lab { $0.limits.fileSize = 64 * 1024 }
      lab.work(.write, "a.txt", Self.canary, as: Self.anna, on: "managed")
      let much = String(repeating: "x", count: 200_000)
      let grown = lab.work(.append, "a.txt", much, as: Self.anna, on: "managed")
      #expect(grown.failure?.contains("a.txt") ?? false)
      #expect(lab.work(.read, "a.txt", as: Self.anna, on: "managed").text == Self.canary)
      lab.close()
    }

    @Test func `what an account wrote outlives the device, and is still its own`() throws {
      let folder = NSTemporaryDirectory() + "sluice-kept-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      do {
        let lab = try Self.lab { $0.folder = folder }
        lab.work(.write, "a.txt", Self.canary, as: Self.anna, on: "managed")
        lab.close()
      }
      let lab = try Lab(policy: Self.settings(encrypts: true)) { $0.folder = folder }
      try lab.device.install(
        AppDescription(
          name: "managed", bundleID: "com.example.managed", integratesSDK: true,
          isMultiIdentity: true))
      lab.launch(["managed"])
      #expect(lab.work(.read, "a.txt", as: Self.anna, on: "managed").text == Self.canary)
      lab.work(.read, "a.txt", as: TaskContext(thread: ""), on: "managed")
      #expect(lab.decisions.last?.verdict.deciding == .fileOfOtherIdentity)
      lab.close()
    }
  }
}

extension Lab {
  @discardableResult
  func work(
    _ kind: FileWork.Kind, _ path: String, _ text: String = "", as task: TaskContext,
    on guest: String
  ) -> (text: String, failure: String?) {
    work(FileWork(kind, FileReference(path), content: Array(text.utf8)), as: task, on: guest)
  }

  /// Lets the ready-made guest work on a file.
  func work(
    _ work: FileWork, as task: TaskContext, on guest: String = "managed"
  ) -> (text: String, failure: String?) {
    var done: Performance?
    device.driver.perform(work, as: task, on: guest) { done = $0 }
    wait("work on a file") { done != nil }
    return (String(decoding: done?.found ?? [], as: UTF8.self), done?.failure)
  }
}
