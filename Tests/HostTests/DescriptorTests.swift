import Cryptography
import FileProtection
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// What a device has open that has no path: pipes, sockets, processes, shared memory. They are counted in a process of
  /// their own, since all other tests open and close some meanwhile.
  @Suite struct DescriptorTests {
    @Test func `a device that was busy leaves no descriptor behind`() async {
      await #expect(processExitsWith: .success) {
        // What libraries open once and keep is open after the first.
        try Self.live()
        let before = Census.take()
        for _ in 0..<3 { try Self.live() }
        try before.waitUntilNothingIsLeft()
      }
    }

    @Test func `nor does one whose guests all misbehave`() async {
      await #expect(processExitsWith: .success) {
        try Self.suffer()
        let before = Census.take()
        for _ in 0..<3 { try Self.suffer() }
        try before.waitUntilNothingIsLeft()
      }
    }

    @Test func `nor does a device whose trace cannot be opened`() async {
      await #expect(processExitsWith: .success) {
        let start = { _ = try Lab { $0.trace = .file("/nowhere/trace") } }
        #expect(throws: HostError.self) { try start() }
        let before = Census.take()
        for _ in 0..<3 { #expect(throws: HostError.self) { try start() } }
        try before.waitUntilNothingIsLeft()
      }
    }

    @Test func `nor does a file whose key is gone`() async {
      await #expect(processExitsWith: .success) {
        let lab = try Lab()
        try lab.device.install(AppDescription(name: "notes", bundleID: "com.example.notes"))
        let path = lab.device.containerPath(of: "notes")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let page = ProtectionHeader.firstPage(
          owner: Account(upn: "gone@contoso.com"), key: .random(),
          accountKey: AES256GCM(key: Array(repeating: 7, count: 32)))
        try Data(page).write(to: URL(fileURLWithPath: "\(path)/sealed"))
        let read = { lab.device.files.contents(ofFile: "sealed", in: "notes") }
        #expect(read() == nil)
        let before = Census.take()
        for _ in 0..<3 { #expect(read() == nil) }
        try before.waitUntilNothingIsLeft()
        lab.close()
      }
    }

    /// Apps that share, an extension, files, a wipe, a guest that is killed and comes again.
    private static func live() throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("managed", managed: true)
      try lab.app("sender")
      try lab.app("receiver")
      try lab.device.install(
        AppDescription(
          name: "clip", bundleID: "com.example.host.clip",
          kind: .extension(.share, in: "com.example.host")))
      lab.share("hello", from: "sender", to: "receiver")
      lab.share("hello", from: "sender", to: "clip")
      lab.share("org data", from: "managed", to: "receiver")
      lab.work(.write, "a.txt", "Minutes", as: TaskContext(), on: "managed")
      lab.kill("receiver")
      lab.share("again", from: "sender", to: "receiver")
      var isWiped = false
      try lab.device.wipes.wipe(Lab.anna, in: "managed") { isWiped = true }
      lab.wait("the wipe") { isWiped && !lab.device.wipes.isWiping }
      #expect(lab.inbox(of: "receiver").contains("again"))
      lab.close()
    }

    private static func suffer() throws {
      let lab = try Lab()
      try lab.app("sender")
      for mode in ["exit-early", "garbage", "oversized", "crash", "orphan", "deaf"] {
        try lab.hostile(mode, name: mode)
      }
      lab.wait("those that end") { lab.device.guests.running == ["sender", "deaf"] }
      lab.shareInVain("for the deaf", from: "sender", to: "deaf")
      try lab.install(executable: "/bin/false", name: "no-guest")
      lab.launch(["no-guest"])
      try lab.expectService()
      lab.close()
    }
  }
}
