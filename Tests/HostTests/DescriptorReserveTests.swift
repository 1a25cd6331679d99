import EventLoop
import Glibc
import Model
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// A device whose limit on descriptors is reached.
  @Suite struct DescriptorReserveTests {
    @Test func `guests that come after do not start, and the device works on`() async {
      // The limit is the whole process's.
      await #expect(processExitsWith: .success) { try Self.fill() }
    }

    private static func fill() throws {
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let lab = try Lab()
      try lab.app("first")
      let names = (1...300).map { "app-\($0)" }
      for name in names {
        try lab.device.install(AppDescription(name: name, bundleID: "com.example.crowd"))
      }
      lab.launch(names)
      let running = lab.device.guests.running.count
      #expect((100...256 - DescriptorLimit.reserve).contains(running))
      guard case .notStarted(let why) = lab.device.guests.exitCause(of: "app-300") else {
        Issue.record("the last one runs")
        return
      }
      #expect(why.contains("may have 256 (`ulimit -n`)"))
      lab.share("still here", from: "app-1", to: "first")
      #expect(lab.inbox(of: "first") == ["still here"])
      lab.close()
    }
  }
}
