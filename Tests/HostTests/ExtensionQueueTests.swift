import Model
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Tests extension runs that exceed the maximum number at a time.
  @Suite struct ExtensionQueueTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    @Test func `extension runs above the instance limit wait, then start in order`() throws {
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

    @Test func `waiting extension runs of an app that ends are cancelled, and others start`() throws
    {
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

    @Test func `a started extension run continues after the sharing app ends`() throws {
      let lab = try labWithHangingExtension()
      try share(from: "a", in: lab)
      lab.kill("a")
      #expect(lab.device.guests.isRunning("hanging#1"))
      #expect(Self.shareEnds(in: lab).isEmpty)
      lab.kill("hanging#1")
      lab.close()
    }

    @Test func `a share is undeliverable if the extension queue is full`() throws {
      let lab = try labWithHangingExtension { $0.limits.queuedExtensions = 1 }
      for name in ["a", "b", "c"] { try share(from: name, in: lab) }
      #expect(Self.shareEnds(in: lab) == [.undeliverable])
      lab.kill("b")
      lab.kill("hanging#1")
      #expect(Self.starts(of: "hanging", in: lab) == ["hanging#1"])
      lab.close()
    }

    @Test func `an app with many shares does not delay the shares of other apps`() throws {
      let lab = try labWithHangingExtension()
      for _ in 1...3 { try share(from: "a", in: lab) }
      try share(from: "b", in: lab)
      // After the first run of `a`, its second one has its turn, then `b`.
      for number in 1...2 { lab.kill("hanging#\(number)") }
      lab.wait("the run of `b`") { lab.device.guests.isRunning("hanging#4") }
      #expect(Self.starts(of: "hanging", in: lab) == ["hanging#1", "hanging#2", "hanging#4"])
      lab.close()
    }

    @Test func `an extension that shares with a second extension does not block itself`() throws {
      let lab = try Lab(apps: ["a"]) { $0.limits.extensionInstances = 1 }
      for (name, text) in [
        ("outer", "app.share { to = 'inner', text = item.text }"),
        ("inner", "files.append('log', item.text)"),
      ] {
        let script = try workspace.write(
          "share.loaded(function(item) \(text) share.complete() end)", to: "\(name).lua")
        try lab.device.install(
          AppDescription(
            name: name, bundleID: "com.example.host.\(name)",
            kind: .extension(.share, in: "com.example.host"), program: .script(path: script)))
      }
      lab.share("nested", from: "a", to: "outer")
      #expect(lab.file("log", of: "inner") == "nested")
      #expect(Self.shareEnds(in: lab) == [.delivered, .delivered])
      lab.wait("the runs' exits") { !lab.device.guests.isRunningExtensions }
      lab.close()
    }

    @Test func `an extension that shares with itself runs at most eight times`() throws {
      let lab = try Lab(apps: ["a"]) { $0.limits.extensionInstances = 1 }
      let script = try workspace.write(
        "share.loaded(function(item) app.share { to = 'loop', text = 'x' } share.complete() end)",
        to: "loop.lua")
      try lab.device.install(
        AppDescription(
          name: "loop", bundleID: "com.example.host.loop",
          kind: .extension(.share, in: "com.example.host"), program: .script(path: script)))
      lab.share("x", from: "a", to: "loop")
      #expect(Self.starts(of: "loop", in: lab) == (1...8).map { "loop#\($0)" })
      #expect(
        Self.shareEnds(in: lab) == [.undeliverable] + Array(repeating: .delivered, count: 8))
      #expect(
        lab.events.contains { event in
          if case .ended(_, .undeliverable, _, let detail) = event {
            detail == "a chain of 8 extensions, each started by the one before, is already running"
          } else {
            false
          }
        })
      lab.wait("the runs' exits") { !lab.device.guests.isRunningExtensions }
      lab.close()
    }

    @Test func `a device that shuts down starts no waiting run`() throws {
      let lab = try labWithHangingExtension()
      for name in ["a", "b", "c"] { try share(from: name, in: lab) }
      lab.finish("the stop") { done in lab.device.guests.stopAll { done() } }
      #expect(Self.starts(of: "hanging", in: lab) == ["hanging#1"])
      lab.close()
    }

    /// Returns a device with three apps that runs one extension at a time. The extension never
    /// completes.
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

    /// Shares with the extension, and waits for the decision on the share. An extension that runs
    /// causes decisions, too: it loads the shared data.
    private func share(from name: String, in lab: Lab) throws {
      let count = Self.shares(in: lab).count
      lab.begin(.sharing("from \(name)", with: "hanging"), on: name)
      lab.wait("the decision") { Self.shares(in: lab).count > count }
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

    private static func shares(in lab: Lab) -> [RequestDecision] {
      lab.decisions.filter { $0.operation == .share }
    }

    /// Returns the ends of shares, in order.
    private static func shareEnds(in lab: Lab) -> [RequestEnd] {
      let shares = Set(shares(in: lab).map(\.request))
      return lab.ends.filter { shares.contains($0.request) }.map(\.end)
    }
  }
}

@Suite struct RunQueueTests {
  private typealias Queue = RunQueue<String>

  private static func limits(
    running: Int = 1, waiting: Int = 100
  ) -> DeviceConfiguration.Limits {
    var limits = DeviceConfiguration.Limits()
    limits.extensionInstances = running
    limits.queuedExtensions = waiting
    return limits
  }

  @Test
  func `senders of queued extension runs take turns, and each sender's runs keep their order`() {
    var queue = Queue(Self.limits())
    for (sender, count) in [("a", 4), ("b", 2), ("c", 1)] {
      for number in 1...count {
        let name = "\(sender)\(number)"
        let admission = queue.admit(name, named: name, startedBy: sender)
        #expect(admission == (name == "a1" ? .starts : .waits))
      }
    }
    var (order, running) = (["a1"], "a1")
    while true {
      #expect(queue.next() == nil)
      #expect(queue.ended(running) == nil)
      guard let next = queue.next() else { break }
      order.append(next)
      running = next
    }
    #expect(order == ["a1", "a2", "b1", "c1", "a3", "b2", "a4"])
    #expect(queue.waitingCount == 0)
  }

  @Test func `one sender gets at most seven eighths of the slots for extension runs`() {
    var queue = Queue(Self.limits(running: 16))
    for number in 1...20 {
      let admission = queue.admit("a\(number)", named: "a\(number)", startedBy: "a")
      #expect(admission == (number <= 14 ? .starts : .waits))
    }
    #expect(queue.next() == nil)
    #expect(queue.admit("b1", named: "b1", startedBy: "b") == .starts)
    #expect(queue.admit("c1", named: "c1", startedBy: "c") == .starts)
    #expect(queue.admit("b2", named: "b2", startedBy: "b") == .waits)
    _ = queue.ended("c1")
    #expect(queue.next() == "b2")
    _ = queue.ended("a1")
    #expect(queue.next() == "a15")
  }

  @Test func `one sender gets at most a quarter of the queue of extension runs`() {
    var queue = Queue(Self.limits(waiting: 8))
    #expect(queue.admit("a0", named: "a0", startedBy: "a") == .starts)
    for sender in ["a", "b", "c", "d"] {
      for number in 1...2 {
        let name = "\(sender)\(number)"
        #expect(queue.admit(name, named: name, startedBy: sender) == .waits)
      }
      if sender != "d" {
        #expect(
          queue.admit("more", named: "more", startedBy: sender)
            == .refused(why: "2 runs of extensions for `\(sender)` are waiting already"))
      }
    }
    #expect(
      queue.admit("e1", named: "e1", startedBy: "e")
        == .refused(why: "8 runs of extensions are waiting already"))
  }

  @Test func `an extension's nested runs share its slot and start one at a time`() {
    var queue = Queue(Self.limits())
    #expect(queue.admit("x#1", named: "x#1", startedBy: "a") == .starts)
    #expect(queue.admit("y#1", named: "y#1", startedBy: "x#1") == .starts)
    #expect(queue.admit("y#2", named: "y#2", startedBy: "x#1") == .waits)
    #expect(queue.admit("b#1", named: "b#1", startedBy: "b") == .waits)
    #expect(queue.next() == nil)
    #expect(queue.ended("y#1") == "x#1")
    #expect(queue.nextStarted(by: "x#1") == "y#2")
    #expect(queue.nextStarted(by: "x#1") == nil)
    // The borrower keeps the slot of a starter that has exited.
    #expect(queue.ended("x#1") == nil)
    #expect(queue.next() == nil)
    #expect(queue.ended("y#2") == nil)
    #expect(queue.next() == "b#1")
  }

  @Test func `the length of a chain of nested extension runs is limited`() {
    var queue = Queue(Self.limits())
    #expect(queue.admit("x#1", named: "x#1", startedBy: "a") == .starts)
    for number in 2...8 {
      let admission = queue.admit(
        "x#\(number)", named: "x#\(number)", startedBy: "x#\(number - 1)")
      #expect(admission == .starts)
    }
    #expect(
      queue.admit("x#9", named: "x#9", startedBy: "x#8")
        == .refused(
          why: "a chain of 8 extensions, each started by the one before, is already running"))
  }

  @Test func `waiting runs started by an extension count toward the sharing app's queue limit`() {
    var queue = Queue(Self.limits(waiting: 4))
    #expect(queue.admit("x#1", named: "x#1", startedBy: "a") == .starts)
    #expect(queue.admit("x#2", named: "x#2", startedBy: "x#1") == .starts)
    #expect(queue.admit("x#3", named: "x#3", startedBy: "x#1") == .waits)
    #expect(
      queue.admit("x#4", named: "x#4", startedBy: "a")
        == .refused(why: "1 runs of extensions for `a` are waiting already"))
    #expect(queue.removeAll(startedBy: "a") == [])
    #expect(queue.removeAll(startedBy: "x#1") == ["x#3"])
    #expect(queue.admit("x#4", named: "x#4", startedBy: "a") == .waits)
    #expect(queue.removeAll() == ["x#4"])
    #expect(queue.waitingCount == 0)
  }

  /// A run in the naive model.
  private struct Wanted {
    let name: String
    let starter: String
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `all random extension runs start within the limits and in each app's order`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let limits = Self.limits(running: Int.random(in: 1...10, using: &generator))
    var queue = Queue(limits)
    /// The running runs by name, with the name of their starter.
    var running: [String: String] = [:]
    var waiting: [Wanted] = []
    func didStart(_ name: String) {
      guard let index = waiting.firstIndex(where: { $0.name == name }) else {
        Issue.record("\(name) does not wait")
        return
      }
      let run = waiting.remove(at: index)
      // An app's runs start in order.
      #expect(!waiting[..<index].contains { $0.starter == run.starter })
      running[name] = run.starter
    }
    func end(_ name: String) {
      running[name] = nil
      let removed = queue.removeAll(startedBy: name)
      #expect(removed == waiting.filter { $0.starter == name }.map(\.name))
      waiting.removeAll { $0.starter == name }
      if let lender = queue.ended(name), let next = queue.nextStarted(by: lender) { didStart(next) }
      while let next = queue.next() { didStart(next) }
    }
    for number in 0..<300 {
      if Int.random(in: 0..<3, using: &generator) < 2 {
        let starters = ["a", "b", "c"] + running.keys.sorted()
        let starter = starters.randomElement(using: &generator)!
        let name = "run-\(number)"
        switch queue.admit(name, named: name, startedBy: starter) {
        case .starts: running[name] = starter
        case .waits: waiting.append(Wanted(name: name, starter: starter))
        case .refused: break
        }
      } else if let name = running.keys.sorted().randomElement(using: &generator) {
        end(name)
      }
      #expect(queue.waitingCount == waiting.count)
      // Each chain of nested runs takes one slot.
      let own = running.filter { running[$0.value] == nil }
      #expect(running.isEmpty || !own.isEmpty)
      #expect(running.count <= limits.extensionInstances * limits.nestedExtensions)
    }
    while let name = running.keys.sorted().first { end(name) }
    #expect(waiting.isEmpty)
    #expect(queue.waitingCount == 0)
  }
}
