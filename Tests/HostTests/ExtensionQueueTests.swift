import Model
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Runs of extensions above the maximum number at a time.
  @Suite struct ExtensionQueueTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    @Test func `runs above the limit wait, start in order of their requests, and are delivered`()
      throws
    {
      let lab = try Lab { $0.limits.extensionInstances = 3 }
      try lab.device.install(
        AppDescription(
          name: "clip", bundleID: "com.example.notes.clip",
          kind: .extension(.share, in: "com.example.notes")))
      let count = 70
      let senders = (1...count).map { "app-\($0)" }
      for name in senders {
        try lab.device.install(AppDescription(name: name, bundleID: "com.example.fleet"))
      }
      lab.launch(senders)
      for name in senders { lab.begin(.sharing("from \(name)", with: "clip"), on: name) }
      var most = 0
      lab.wait("the ends") {
        most = max(most, lab.device.guests.running.count { $0.hasPrefix("clip#") })
        return lab.ends.count == 2 * count
      }
      #expect(most == 3)
      #expect(lab.ends.allSatisfy { $0.end == .delivered })
      lab.wait("the last run's exit") { !lab.device.guests.isRunningExtensions }
      #expect(Self.starts(of: "clip", in: lab) == (1...count).map { "clip#\($0)" })
      lab.close()
    }

    @Test func `waiting runs of an app that ends are cancelled, and others start`() throws {
      let lab = try labWithHangingExtension()
      for name in ["a", "b", "c"] { try share(from: name, in: lab) }
      #expect(Self.starts(of: "hanging", in: lab) == ["hanging#1"])
      lab.kill("b")
      #expect(Self.shareEnds(in: lab) == [.undeliverable])
      #expect(
        lab.events.contains { event in
          if case .ended(_, .undeliverable, _, let detail) = event {
            detail == "`b` ended before the extension started"
          } else {
            false
          }
        })
      lab.kill("hanging#1")
      lab.wait("the next run") { lab.device.guests.isRunning("hanging#3") }
      lab.kill("hanging#3")
      #expect(Self.starts(of: "hanging", in: lab) == ["hanging#1", "hanging#3"])
      #expect(Self.shareEnds(in: lab) == [.undeliverable, .undeliverable, .undeliverable])
      #expect(!lab.device.guests.isRunningExtensions)
      lab.close()
    }

    @Test func `a run that started continues without the sharing app`() throws {
      let lab = try labWithHangingExtension()
      try share(from: "a", in: lab)
      lab.kill("a")
      #expect(lab.device.guests.isRunning("hanging#1"))
      #expect(Self.shareEnds(in: lab).isEmpty)
      lab.kill("hanging#1")
      lab.close()
    }

    @Test func `a share with a full queue is undeliverable`() throws {
      let lab = try labWithHangingExtension { $0.limits.queuedExtensions = 1 }
      for name in ["a", "b", "c"] { try share(from: name, in: lab) }
      #expect(Self.shareEnds(in: lab) == [.undeliverable])
      lab.kill("b")
      lab.kill("hanging#1")
      #expect(Self.starts(of: "hanging", in: lab) == ["hanging#1"])
      lab.close()
    }

    @Test func `a device that shuts down starts no waiting run`() throws {
      let lab = try labWithHangingExtension()
      for name in ["a", "b", "c"] { try share(from: name, in: lab) }
      lab.close()
    }

    /// A device that runs one extension at a time, which never completes, and three apps.
    private func labWithHangingExtension(
      _ adjust: (inout DeviceConfiguration) -> Void = { _ in }
    ) throws -> Lab {
      let lab = try Lab(apps: ["a", "b", "c"]) {
        $0.limits.extensionInstances = 1
        adjust(&$0)
      }
      let script = try workspace.write("share.loaded(function() end)", to: "hanging.lua")
      try lab.device.install(
        AppDescription(
          name: "hanging", bundleID: "com.example.host.hanging",
          kind: .extension(.share, in: "com.example.host"), program: .script(path: script)))
      return lab
    }

    /// Shares with the extension, and waits for the decision.
    private func share(from name: String, in lab: Lab) throws {
      lab.begin(.sharing("from \(name)", with: "hanging"), on: name)
      lab.wait("the decision") {
        lab.decisions.contains { $0.operation == .share && $0.sender?.guest == name }
      }
    }

    private static func starts(of name: String, in lab: Lab) -> [String] {
      lab.events.compactMap { event in
        if case .guestStarted(let guest, _, _) = event, guest.hasPrefix("\(name)#") {
          guest
        } else {
          nil
        }
      }
    }

    /// The ends of shares, in order.
    private static func shareEnds(in lab: Lab) -> [RequestEnd] {
      let shares = Set(lab.decisions.filter { $0.operation == .share }.map(\.request))
      return lab.ends.filter { shares.contains($0.request) }.map(\.end)
    }
  }
}

@Suite struct ArrivalQueueTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `elements leave in order of arrival, or with their owner`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = ArrivalQueue<(owner: String, number: Int)>(limit: 8)
    var naive: [(owner: String, number: Int)] = []
    for number in 0..<300 {
      let owner = ["a", "b", "c"].randomElement(using: &generator)!
      switch Int.random(in: 0..<5, using: &generator) {
      case 0, 1, 2:
        guard !queue.isFull else { continue }
        queue.append((owner, number), of: owner)
        naive.append((owner, number))
      case 3:
        let first = naive.isEmpty ? nil : naive.removeFirst().number
        let found = queue.popFirst { $0.owner }
        #expect(found?.number == first)
      default:  // open: 4
        let removed = queue.removeAll(of: owner).map(\.number)
        #expect(removed == naive.filter { $0.owner == owner }.map(\.number))
        naive.removeAll { $0.owner == owner }
      }
      #expect(queue.count == naive.count)
      #expect(queue.isEmpty == naive.isEmpty)
      #expect(queue.isFull == (naive.count == 8))
    }
  }
}
