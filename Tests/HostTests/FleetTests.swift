import Foundation
import Testing
import Transfer
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
      let lab = try Lab()
      let names = try Self.install(1000, in: lab)
      lab.launch(names)
      #expect(lab.device.runningGuests.count == 1000)
      for (index, name) in names.enumerated() {
        lab.share("from \(name)", from: name, to: names[(index + 1) % names.count])
      }
      #expect(lab.ends.count == 1000)
      #expect(lab.ends.allSatisfy { $0.end == .delivered })
      #expect(lab.inbox(of: "app-1") == ["from app-1000"])
      lab.close()
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
      let names = try install(2000, in: lab)
      lab.launch(names)
      let running = lab.device.runningGuests
      #expect(running.count > 100 && running.count < 2000)
      let refused = names.first { !running.contains($0) } ?? ""
      guard case .notStarted(let why) = lab.device.exitCause(of: refused) else {
        Issue.record("\(refused) did not say why it is not running")
        return
      }
      #expect(why.contains("too many open files"))
      lab.share("we live", from: running[0], to: running[1])
      #expect(lab.inbox(of: running[1]) == ["we live"])
      lab.close()
    }
  }
}
