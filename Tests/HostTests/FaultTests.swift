import Foundation
import Model
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Guests that misbehave end alone: the device serves the others, and every request has its end.
  @Suite struct FaultTests {
    @Test(arguments: [
      ("exit-early", "exited"), ("wrong-version", "protocolViolation"),
      ("garbage", "protocolViolation"), ("oversized", "protocolViolation"),
    ])
    func `a guest that never gets through the handshake`(mode: String, cause: String) throws {
      let lab = try Lab()
      try lab.hostile(mode)
      lab.wait("the guest to end") { !lab.device.guests.isRunning("hostile") }
      #expect(lab.exits(of: "hostile") == [cause])
      try lab.expectService()
      lab.close()
    }

    @Test func `a guest that says nothing is ended at the deadline of the handshake`() throws {
      let lab = try Lab()
      try lab.install(
        executable: "\(Lab.programs)/hostile-guest", ["hang-handshake"], name: "hostile")
      var isDone = false
      lab.device.guests.launch(["hostile"]) { isDone = true }
      lab.pass(\.handshake)
      lab.wait("the guest to end") { isDone }
      #expect(lab.exits(of: "hostile") == ["unresponsive"])
      try lab.expectService()
      lab.close()
    }

    @Test(arguments: [("half-frame", "protocolViolation"), ("crash", "signalled")])
    func `a guest that ends in the middle`(mode: String, cause: String) throws {
      let lab = try Lab()
      try lab.hostile(mode)
      lab.wait("the guest to end") { !lab.device.guests.isRunning("hostile") }
      let exits = lab.exits(of: "hostile")
      #expect(exits == [cause] || (mode == "half-frame" && exits == ["exited"]))
      try lab.expectService()
      lab.close()
    }

    @Test func `a flood that nobody drains slows only the one who floods`() throws {
      let lab = try Lab()
      try lab.app("target")
      try lab.hostile("flood", ["com.example.target"])
      let flood = try #require(lab.device.owners.registry["hostile"]?.connection)
      lab.wait("the device to read no more of it") { flood.isPaused }
      try lab.expectService()
      // What the receiver has taken makes room for more.
      lab.wait("the device to read no more of it again") { flood.isPaused }
      #expect(flood.backlog < 2 * lab.device.configuration.limits.backlog, "queues are bounded")
      lab.kill("hostile")
      lab.close()
    }

    @Test func `a flood of log lines is taken and forgotten`() throws {
      let trace = NSTemporaryDirectory() + "sluice-trace-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: trace) }
      let lab = try Lab { $0.trace = .file(trace) }
      try lab.hostile("flood-log")
      lab.wait("the flood to be on") { (Self.size(of: trace) ?? 0) > 1 << 20 }
      try lab.expectService()
      #expect(lab.device.guests.isRunning("hostile"))
      lab.kill("hostile")
      lab.close()
    }

    @Test(arguments: ["flood-keychain", "flood-output"])
    func `those who flood slow nobody`(mode: String) throws {
      let lab = try Lab()
      for number in 1...3 { try lab.hostile(mode, name: "flood\(number)") }
      try lab.expectService()
      #expect(lab.device.guests.running.filter { $0.hasPrefix("flood") }.count == 3)
      lab.close()
    }

    @Test func `filling the keychain and signing accounts in and out does not slow others`() throws
    {
      let lab = try Lab()
      try lab.hostile("hoard-keychain")
      let signOuts = {
        lab.events.count { if case .accountSignedOut = $0 { true } else { false } }
      }
      lab.wait("the keychain to be full, and some sign-outs") { signOuts() >= 20 }
      // Not `expectService`, which waits for a device without wipes.
      for name in ["a", "b"] { try lab.app(name) }
      var isShared = false
      lab.device.driver.perform(
        .share(Share(destination: "b", item: Item(text: "still here"))), on: "a"
      ) { _ in isShared = true }
      lab.wait("the outcome") { isShared }
      #expect(lab.inbox(of: "b") == ["still here"])
      #expect(lab.device.guests.isRunning("hostile"))
      let (quota, storage) = (lab.device.configuration.limits.keychain, lab.device.storage)
      let items = try storage.database.items()
      #expect(items.count == quota.items, "the keychain is full")
      #expect(items.reduce(0) { $0 + $1.byteCount } <= quota.bytes)
      // What the sign-outs cost the loop does not depend on what is in the keychain.
      #expect(storage.vacuum.work.copies > 0)
      #expect(storage.vacuum.work.largestSlice <= Vacuum.sliceLength)
      lab.kill("hostile")
      lab.wait("the last sign-out") { !lab.device.wipes.isWiping }
      lab.close()
    }

    @Test func `of a log line that is as long as a frame the trace has the beginning`() throws {
      let workspace = try Workspace()
      let trace = workspace.path("trace")
      let lab = try Lab { $0.trace = .file(trace) }
      try lab.hostile("long-log")
      lab.wait("the line") { (try? workspace.read("trace").contains("xxx")) == true }
      #expect(try workspace.read("trace").utf8.count < 70_000)
      try lab.expectService()
      lab.kill("hostile")
      lab.close()
    }

    @Test func `of a long sentence about its end the journal has the beginning`() throws {
      let lab = try Lab()
      try lab.hostile("long-failure")
      lab.wait("its end") { lab.exits(of: "hostile") != [] }
      #expect(lab.exits(of: "hostile") == ["exited"])
      let texts = lab.events.compactMap { event in
        if case .guestExited("hostile", _, let text) = event { text } else { nil }
      }
      let length = try #require(texts.first?.utf8.count)
      #expect((2_000..<2_200).contains(length))
      lab.close()
    }

    @Test func `babble on standard error does not keep a guest from its handshake`() throws {
      let lab = try Lab()
      try lab.hostile("stdout-babble")
      #expect(lab.device.guests.isRunning("hostile"))
      lab.close()
    }

    @Test func `a guest that ignores the request to stop is killed`() throws {
      let lab = try Lab()
      try lab.hostile("hang")
      var isDone = false
      lab.device.guests.stop(["hostile"]) { isDone = true }
      #expect(!isDone)
      lab.pass(\.stop)
      lab.wait("the guest to end") { isDone }
      #expect(lab.exits(of: "hostile") == ["unresponsive"])
      lab.close()
    }

    @Test(arguments: ["deaf", "hang"])
    func `a guest that takes no delivery is ended, and its senders hear of it`(mode: String) throws
    {
      let lab = try Lab()
      try lab.app("sender")
      try lab.hostile(mode)
      lab.shareInVain("for the deaf", from: "sender", to: "hostile")
      #expect(lab.ends.map(\.end) == [.undeliverable])
      lab.wait("the guest to end") { !lab.device.guests.isRunning("hostile") }
      #expect(lab.exits(of: "hostile") == ["unresponsive"])
      try lab.expectService()
      lab.close()
    }

    @Test func `a slow guest gets everything in the end`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.hostile("slow")
      for number in 1...5 { lab.share("item \(number)", from: "sender", to: "hostile") }
      #expect(lab.ends.map(\.end) == Array(repeating: .delivered, count: 5))
      lab.close()
    }

    @Test func `a receiver that dies with an item on the way`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.hostile("exit-on-delivery")
      lab.share("the last thing it saw", from: "sender", to: "hostile")
      #expect(lab.ends.map(\.end) == [.undeliverable])
      #expect(lab.exits(of: "hostile") == ["exited"])
      try lab.expectService()
      lab.close()
    }

    @Test func `a receiver that is killed with an item on the way`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.hostile("hang")
      var isDone = false
      lab.device.driver.perform(
        .share(Share(destination: "hostile", item: Item(text: "caught"))), on: "sender"
      ) { _ in isDone = true }
      lab.wait("the decision") { lab.decisions.count == 1 }
      lab.kill("hostile")
      lab.wait("the outcome") { isDone }
      #expect(lab.ends.map(\.end) == [.undeliverable])
      lab.close()
    }

    @Test func `a sender that is killed with an item on the way`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.hostile("slow")
      lab.device.driver.perform(
        .share(Share(destination: "hostile", item: Item(text: "legacy"))), on: "sender"
      ) { _ in }
      lab.wait("the decision") { lab.decisions.count == 1 }
      lab.kill("sender")
      lab.wait("the end") { lab.ends.count == 1 }
      #expect(lab.ends.map(\.end) == [.delivered])
      lab.close()
    }

    @Test func `what a guest leaves behind dies with it`() throws {
      let trace = NSTemporaryDirectory() + "sluice-trace-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: trace) }
      let lab = try Lab { $0.trace = .file(trace) }
      try lab.hostile("orphan")
      lab.wait("the guest to end") { !lab.device.guests.isRunning("hostile") }
      #expect(lab.exits(of: "hostile") == ["exited"])
      let started = try String(contentsOfFile: trace, encoding: .utf8)
        .split(separator: "\n").first { $0.contains("hostile: pid ") }
      let group = try #require(started?.split(separator: " ").last.flatMap { Int32($0) })
      lab.wait("its child to end") { kill(-group, 0) != 0 }
      #expect(kill(-group, 0) != 0)
      try lab.expectService()
      lab.close()
    }

    @Test func `a suspended guest gets nothing after its senders heard that it would not`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.app("sleeper")
      lab.device.guests.suspend("sleeper")
      lab.shareInVain("while asleep", from: "sender", to: "sleeper")
      #expect(lab.ends.map(\.end) == [.undeliverable])
      lab.device.guests.resume("sleeper")
      lab.share("awake", from: "sender", to: "sleeper")
      #expect(lab.inbox(of: "sleeper") == ["awake"])
      lab.close()
    }

    @Test func `what goes on without a suspended guest is not heard until it resumes`() throws {
      let lab = try Lab()
      try lab.app("receiver")
      try lab.hostile("sleepwalk", ["com.example.receiver"])
      let walker = try #require(lab.device.owners.registry["hostile"]?.connection)
      lab.wait("the child to share") { !lab.ends.isEmpty }
      lab.device.guests.suspend("hostile")
      lab.wait("what is on its way to end") { lab.device.rest.activity == nil }
      let heard = lab.ends.count
      lab.wait("the child to share more") { (walker.port.unreadBytes ?? 0) > 0 }
      try lab.expectService()
      #expect(lab.ends.count == heard + 1)
      lab.device.guests.resume("hostile")
      lab.wait("the child to be heard") { lab.ends.count > heard + 1 }
      lab.close()
    }

    @Test func `an app that is not running is started for what is sent to it`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.device.install(AppDescription(name: "later", bundleID: "com.example.later"))
      lab.share("good morning", from: "sender", to: "com.example.later")
      #expect(lab.inbox(of: "later") == ["good morning"])
      lab.close()
    }

    private static func size(of path: String) -> Int? {
      (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int
    }
  }
}
