import Cryptography
import EventLoop
import FileProtection
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Tests many guests with one bundle id.
  @Suite struct FleetTests {
    private static func install(_ count: Int, in lab: Lab) throws -> [String] {
      let names = (1...count).map { "app-\($0)" }
      for name in names {
        try lab.device.install(AppDescription(name: name, bundleID: "com.example.fleet"))
      }
      return names
    }

    @Test func `a thousand apps start, answer and stop, and leave no process and no descriptor`()
      throws
    {
      DescriptorLimit.raise()
      let lab = try Lab()
      let names = try Self.install(1000, in: lab)
      lab.launch(names)
      #expect(lab.device.guests.running.count == 1000)
      for (index, name) in names.enumerated() {
        lab.share("from \(name)", from: name, to: names[(index + 1) % names.count])
      }
      #expect(lab.ends.count == 1000)
      #expect(lab.ends.allSatisfy { $0.end == .delivered })
      #expect(lab.inbox(of: "app-1") == ["from app-1000"])
      lab.close()
    }

    @Test func `the number of guests that start at the same time is limited`() throws {
      let lab = try Lab { $0.limits.starting = 3 }
      let names = try Self.install(20, in: lab)
      var isDone = false
      lab.device.guests.launch(names) { isDone = true }
      #expect(lab.device.guests.running == ["app-1", "app-2", "app-3"])
      var most = 0
      lab.wait("the launch") {
        let starting = names.compactMap { lab.device.services.registry.guest(named: $0) }
          .count { $0.isRunning && !$0.isReady }
        most = max(most, starting)
        return isDone
      }
      #expect(most == 3)
      #expect(lab.device.guests.running.count == 20)
      lab.close()
    }

    @Test func `queued guests can be stopped, killed and launched again`() throws {
      let lab = try Lab { $0.limits.starting = 1 }
      let names = try Self.install(6, in: lab)
      var done: [String] = []
      lab.device.guests.launch(names) { done.append("all") }
      lab.device.guests.stop(["app-4"]) { done.append("stop") }
      lab.device.guests.kill(["app-5"]) { done.append("kill") }
      #expect(done == ["stop", "kill"])
      lab.device.guests.launch(["app-6"]) { done.append("app-6") }
      lab.wait("the launches") { done.count == 4 }
      #expect(lab.device.guests.running == ["app-1", "app-2", "app-3", "app-6"])
      #expect(lab.exits(of: "app-4").isEmpty && lab.exits(of: "app-5").isEmpty)
      lab.close()
    }

    @Test func `a device that shuts down starts no queued guest`() throws {
      let lab = try Lab { $0.limits.starting = 1 }
      let names = try Self.install(5, in: lab)
      var isDone = false
      lab.device.guests.launch(names) { isDone = true }
      lab.close()
      #expect(isDone)
      #expect(lab.device.guests.running.isEmpty)
    }

    @Test
    func `at the descriptor limit, further guests do not start, and running guests continue`()
      async
    {
      // The limit applies to the whole process.
      await #expect(processExitsWith: .success) { try Self.reachTheLimit() }
    }

    private static func reachTheLimit() throws {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 256
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let lab = try Lab()
      let names = try Self.install(300, in: lab)
      lab.launch(names)
      let running = lab.device.guests.running
      #expect((100...256 - DescriptorLimit.reserve).contains(running.count))
      for name in [names.first { !running.contains($0) } ?? "", "app-300"] {
        guard case .notStarted(let why) = lab.device.guests.exitCause(of: name) else {
          Issue.record("\(name) does not say why it is not running")
          continue
        }
        #expect(why.contains("no file descriptor is available"))
        #expect(why.contains("the device's limit is 256 (`ulimit -n`)"))
      }
      lab.share("we live", from: running[0], to: running[1])
      #expect(lab.inbox(of: running[1]) == ["we live"])
      lab.close()
    }
  }

  /// Tests the descriptors of a device that have no path: pipes, sockets, processes, shared memory.
  /// They are counted in a separate process, because all other tests open and close descriptors at
  /// the same time.
  @Suite struct DescriptorTests {
    @Test func `a busy device leaks no descriptor`() async {
      await #expect(processExitsWith: .success) { try Self.expectNothingLeft(by: Self.live) }
    }

    @Test func `a device with misbehaving guests leaks no descriptor`() async {
      await #expect(processExitsWith: .success) { try Self.expectNothingLeft(by: Self.suffer) }
    }

    @Test func `a device whose trace cannot be opened leaks no descriptor`() async {
      await #expect(processExitsWith: .success) {
        try Self.expectNothingLeft {
          #expect(throws: HostError.self) { _ = try Lab { $0.trace = .file("/nowhere/trace") } }
        }
      }
    }

    @Test func `opening a file with a lost key leaks no descriptor`() async {
      await #expect(processExitsWith: .success) {
        let lab = try Lab()
        try lab.device.install(AppDescription(name: "notes", bundleID: "com.example.notes"))
        let path = lab.device.containerPath(of: "notes")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let page = ProtectionHeader.firstPage(
          owner: Account(upn: "gone@contoso.com"), key: .random(),
          accountKey: AES256GCM(key: Array(repeating: 7, count: 32)))
        try Data(page).write(to: URL(fileURLWithPath: "\(path)/sealed"))
        try Self.expectNothingLeft {
          #expect(lab.device.files.contents(ofFile: "sealed", in: "notes") == nil)
        }
        lab.close()
      }
    }

    /// Expects that a repeated action leaves no descriptor open.
    private static func expectNothingLeft(by act: () throws -> Void) throws {
      // Libraries open their descriptors the first time and keep them open.
      try act()
      let before = Census.take()
      for _ in 0..<2 { try act() }
      try before.waitUntilNothingIsLeft()
    }

    /// Shares, uses an extension and files, wipes an account, and kills and restarts a guest.
    private static func live() throws {
      let lab = try Lab(policy: .managedOnly, managed: "managed", apps: ["sender", "receiver"])
      try lab.device.install(
        AppDescription(
          name: "clip", bundleID: "com.example.host.clip",
          kind: .extension(.share, in: "com.example.host")))
      lab.share("hello", from: "sender", to: "receiver")
      lab.share("hello", from: "sender", to: "clip")
      lab.share("org data", from: "managed", to: "receiver")
      lab.work(.write, "a.txt", "Minutes", as: TaskContext())
      lab.kill("receiver")
      lab.share("again", from: "sender", to: "receiver")
      try lab.finish("the wipe") { try lab.device.wipes.wipe(Lab.anna, in: "managed", done: $0) }
      lab.wait("the last of it") { !lab.device.wipes.isWiping }
      #expect(lab.inbox(of: "receiver").contains("again"))
      lab.close()
    }

    private static func suffer() throws {
      let lab = try Lab(apps: ["sender"])
      for mode in ["exit-early", "garbage", "oversized", "crash", "orphan", "deaf"] {
        try lab.hostile(mode, name: mode)
      }
      lab.wait("those that end") { lab.device.guests.running == ["sender", "deaf"] }
      lab.shareInVain("for the deaf", from: "sender", to: "deaf")
      try lab.install(executable: "/bin/false", name: "no-guest")
      lab.launch(["no-guest"])
      try lab.closeInService()
    }
  }
}
