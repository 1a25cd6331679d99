import EventLoop
import Foundation
import Model
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Many guests of one bundle.
  @Suite struct FleetTests {
    private static func install(_ count: Int, in lab: Lab) throws -> [String] {
      let names = (1...count).map { "app-\($0)" }
      for name in names {
        try lab.device.install(AppDescription(name: name, bundleID: "com.example.fleet"))
      }
      return names
    }

    @Test func `a thousand apps start, answer and stop, and leave nothing behind`() throws {
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

    @Test func `only so many start at once, and whose turn has not come has no deadline`() throws {
      let lab = try Lab { $0.limits.starting = 3 }
      let names = try Self.install(20, in: lab)
      var isDone = false
      lab.device.guests.launch(names) { isDone = true }
      #expect(lab.device.guests.running == ["app-1", "app-2", "app-3"])
      var most = 0
      lab.wait("the launch") {
        let starting = names.compactMap { lab.device.owners.registry.guest(named: $0) }.filter(
          \.isRunning
        )
        .filter { !$0.isReady }
        most = max(most, starting.count)
        return isDone
      }
      #expect(most == 3)
      #expect(lab.device.guests.running.count == 20)
      lab.close()
    }

    @Test func `who is stopped, killed or launched again while it waits for its turn`() throws {
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

    @Test func `a device that goes down starts nobody whose turn has not come`() throws {
      let lab = try Lab { $0.limits.starting = 1 }
      let names = try Self.install(5, in: lab)
      var isDone = false
      lab.device.guests.launch(names) { isDone = true }
      lab.close()
      #expect(isDone)
      #expect(lab.device.guests.running.isEmpty)
    }

    @Test func `at the descriptor limit a guest is refused by name, and the others live`() async {
      await #expect(processExitsWith: .success) { try Self.reachTheLimit() }
    }

    private static func reachTheLimit() throws {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 450
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let lab = try Lab()
      let names = try Self.install(2000, in: lab)
      lab.launch(names)
      let running = lab.device.guests.running
      #expect(running.count > 100 && running.count < 2000)
      let refused = names.first { !running.contains($0) } ?? ""
      guard case .notStarted(let why) = lab.device.guests.exitCause(of: refused) else {
        Issue.record("\(refused) did not say why it is not running")
        return
      }
      #expect(why.contains("no descriptor is left"))
      lab.share("we live", from: running[0], to: running[1])
      #expect(lab.inbox(of: running[1]) == ["we live"])
      lab.close()
    }
  }
}
