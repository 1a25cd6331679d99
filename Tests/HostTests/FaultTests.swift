import EventLoop
import Foundation
import Model
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Misbehaving guests end without affecting others. The device serves the others, and every
  /// request ends.
  @Suite struct FaultTests {
    @Test(arguments: [
      ("exit-early", ["exited"]), ("wrong-version", ["protocolViolation"]),
      ("garbage", ["protocolViolation"]), ("oversized", ["protocolViolation"]),
      ("half-frame", ["protocolViolation", "exited"]), ("crash", ["signalled"]),
    ])
    func `a guest that fails during the handshake is terminated, and others continue`(
      mode: String, causes: [String]
    ) throws {
      let lab = try Lab()
      try lab.hostile(mode)
      lab.wait("the guest to end") { !lab.device.guests.isRunning("hostile") }
      let exits = lab.exits(of: "hostile")
      #expect(exits.count == 1 && causes.contains(exits[0]), "\(exits)")
      try lab.closeInService()
    }

    @Test func `a silent guest is terminated at the handshake timeout`() throws {
      let lab = try Lab()
      try lab.install(
        executable: "\(Lab.programs)/hostile-guest", ["hang-handshake"], name: "hostile")
      lab.finish("the guest to end") {
        lab.device.guests.launch(["hostile"], done: $0)
        lab.pass(\.handshake)
      }
      #expect(lab.exits(of: "hostile") == ["unresponsive"])
      try lab.closeInService()
    }

    @Test func `a guest that floods the device is paused, and other guests are still served`()
      throws
    {
      let lab = try Lab(apps: ["target"])
      try lab.hostile("flood", ["com.example.target"])
      let flood = try #require(lab.device.services.registry["hostile"]?.connection)
      lab.wait("the device to read no more of it") { flood.isPaused }
      try lab.expectService()
      // Items that the receiver has read make room for more.
      lab.wait("the device to read no more of it again") { flood.isPaused }
      #expect(flood.backlog < 2 * lab.device.configuration.limits.backlog, "queues are bounded")
      lab.kill("hostile")
      lab.close()
    }

    @Test func `a flood of log lines does not affect other guests`() throws {
      let lab = try Lab.tracing()
      try lab.hostile("flood-log")
      lab.wait("the flood to be on") { (Self.size(of: lab.tracePath) ?? 0) > 1 << 20 }
      try lab.expectService()
      #expect(lab.device.guests.isRunning("hostile"))
      lab.kill("hostile")
      lab.close()
    }

    @Test(arguments: ["flood-keychain", "flood-output"])
    func `other guests are served while guests flood the keychain or their output`(mode: String)
      throws
    {
      let lab = try Lab()
      lab.sliceByRealTime()
      for number in 1...3 { try lab.hostile(mode, name: "flood\(number)") }
      try lab.expectService()
      #expect(lab.device.guests.running.filter { $0.hasPrefix("flood") }.count == 3)
      lab.close()
    }

    @Test
    func `other guests are served while a guest floods the host with keychain items and sign-ins`()
      throws
    {
      let lab = try Lab()
      lab.sliceByRealTime()
      try lab.hostile("hoard-keychain")
      let signOuts = {
        lab.events.count { if case .accountSignedOut = $0 { true } else { false } }
      }
      lab.wait("the keychain to be full, and some sign-outs") { signOuts() >= 20 }
      // `expectService` is not used, because it requires a device without wipes.
      for name in ["a", "b"] { try lab.app(name) }
      lab.finish("the outcome") { done in
        lab.device.driver.perform(.sharing("still here", with: "b"), on: "a") { _ in done() }
      }
      #expect(lab.inbox(of: "b") == ["still here"])
      #expect(lab.device.guests.isRunning("hostile"))
      let (quota, storage) = (lab.device.configuration.limits.keychain, lab.device.storage)
      let items = try storage.database.items()
      #expect(items.count == quota.items, "the keychain is full")
      #expect(items.reduce(0) { $0 + $1.byteCount } <= quota.bytes)
      // The cost of sign-outs for the loop does not depend on the keychain's size.
      #expect(storage.vacuum.counters.copies > 0)
      #expect(storage.vacuum.counters.largestSlice <= Vacuum.sliceLength)
      lab.kill("hostile")
      lab.wait("the last sign-out") { !lab.device.wipes.isWiping }
      lab.close()
    }

    @Test func `the trace contains the start of a log line of maximum length`() throws {
      let lab = try Lab.tracing()
      try lab.hostile("long-log")
      lab.wait("the line") { lab.trace.contains("xxx") }
      #expect(lab.trace.utf8.count < 70_000)
      try lab.expectService()
      lab.kill("hostile")
      lab.close()
    }

    @Test func `the journal contains the start of an overlong exit message`() throws {
      let lab = try Lab()
      try lab.hostile("long-failure")
      lab.expectEnd(of: "hostile", "exited")
      let length = try #require(lab.exitText(of: "hostile")?.utf8.count)
      #expect((2_000..<2_200).contains(length))
      lab.close()
    }

    @Test func `output on standard error does not affect the handshake`() throws {
      let lab = try Lab()
      try lab.hostile("stdout-babble")
      #expect(lab.device.guests.isRunning("hostile"))
      lab.close()
    }

    @Test func `a guest that ignores the stop request is killed`() throws {
      let lab = try Lab()
      try lab.hostile("hang")
      lab.finish("the guest to end") {
        lab.device.guests.stop(["hostile"], done: $0)
        #expect(lab.device.guests.isRunning("hostile"))
        lab.pass(\.stop)
      }
      #expect(lab.exits(of: "hostile") == ["unresponsive"])
      lab.close()
    }

    @Test(arguments: ["deaf", "hang"])
    func `deliveries to a guest that does not read are undeliverable, and the guest is terminated`(
      mode: String
    ) throws {
      let lab = try Lab(apps: ["sender"])
      try lab.hostile(mode)
      lab.shareInVain("for the deaf", from: "sender", to: "hostile")
      #expect(lab.ends.map(\.end) == [.undeliverable])
      lab.expectEnd(of: "hostile", "unresponsive")
      try lab.closeInService()
    }

    @Test func `a slow guest receives all items that are sent to it`() throws {
      let lab = try Lab(apps: ["sender"])
      try lab.hostile("slow")
      for number in 1...5 { lab.share("item \(number)", from: "sender", to: "hostile") }
      #expect(lab.ends.map(\.end) == Array(repeating: .delivered, count: 5))
      lab.close()
    }

    @Test func `an item in delivery to a receiver that exits is undeliverable`() throws {
      let lab = try Lab(apps: ["sender"])
      try lab.hostile("exit-on-delivery")
      lab.share("the last thing it saw", from: "sender", to: "hostile")
      #expect(lab.ends.map(\.end) == [.undeliverable])
      #expect(lab.exits(of: "hostile") == ["exited"])
      try lab.closeInService()
    }

    @Test func `child processes are killed with their guest`() throws {
      let lab = try Lab.tracing()
      try lab.hostile("orphan")
      lab.expectEnd(of: "hostile", "exited")
      let started = lab.trace.split(separator: "\n").first { $0.contains("hostile: pid ") }
      let group = try #require(started?.split(separator: " ").last.flatMap { Int32($0) })
      lab.wait("its child to end") { kill(-group, 0) != 0 }
      #expect(kill(-group, 0) != 0)
      try lab.closeInService()
    }

    @Test func `a resumed guest does not receive items already reported as undeliverable`() throws {
      let lab = try Lab(apps: ["sender", "sleeper"])
      lab.device.guests.suspend("sleeper")
      lab.shareInVain("while asleep", from: "sender", to: "sleeper")
      #expect(lab.ends.map(\.end) == [.undeliverable])
      lab.device.guests.resume("sleeper")
      lab.share("awake", from: "sender", to: "sleeper")
      #expect(lab.inbox(of: "sleeper") == ["awake"])
      lab.close()
    }

    @Test func `messages of a suspended guest wait until it resumes`() throws {
      let lab = try Lab(apps: ["receiver"])
      try lab.hostile("sleepwalk", ["com.example.receiver"])
      let walker = try #require(lab.device.services.registry["hostile"]?.connection)
      lab.wait("the child to share") { !lab.ends.isEmpty }
      lab.device.guests.suspend("hostile")
      lab.wait("what is on its way to end") { lab.device.idleWatch.activity == nil }
      let heard = lab.ends.count
      lab.wait("the child to share more") { (walker.port.unreadBytes ?? 0) > 0 }
      try lab.expectService()
      #expect(lab.ends.count == heard + 1)
      lab.device.guests.resume("hostile")
      lab.wait("the child to be heard") { lab.ends.count > heard + 1 }
      lab.close()
    }

    private static func size(of path: String) -> Int? {
      (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int
    }
  }

  /// Tests faults in one of two guests during a share between them.
  @Suite struct FaultInjectorTests {
    enum Trouble: CaseIterable {
      case kill, stop, slowReader, halfFrame, dropAnswer

      var effect: Fault.Effect {
        switch self {
        case .kill: .kill
        case .stop: .stop(milliseconds: 1_000)
        case .slowReader: .slowReader(milliseconds: 1_000)
        case .halfFrame: .halfFrame
        case .dropAnswer: .dropAnswer
        }
      }

      var cause: String? {
        switch self {
        case .kill: "signalled"
        case .halfFrame: "protocolViolation"
        case .stop, .slowReader, .dropAnswer: nil
        }
      }
    }

    /// Shares, and waits until the share has ended and no fault is active.
    private func share(_ text: String, _ lab: Lab) {
      let count = lab.ends.count
      lab.begin(.sharing(text, with: "b"), on: "a")
      // The time is enough for a triggered fault, and less than any deadline of guests.
      var passed = 0
      lab.wait("the end") {
        if lab.device.faults.armed == [], passed < 2_000 {
          lab.device.loop.advance(by: 10)
          passed += 10
        }
        return lab.ends.count > count && !lab.device.idleWatch.isBusy
      }
    }

    @Test(arguments: Trouble.allCases, FaultPoint.allCases)
    func `after a fault at any point, each item was delivered once or is undeliverable`(
      trouble: Trouble, point: FaultPoint
    ) throws {
      for target in ["a", "b"] where trouble != .dropAnswer || target == "a" {
        let lab = try Lab(apps: ["a", "b", "c"])
        lab.device.faults.arm(Fault(number: 1, trouble.effect, at: point, guest: target))
        share("first", lab)
        #expect(lab.device.faults.armed == [] && lab.device.faults.hits(on: target) == 1)
        #expect(lab.exits(of: target) == [trouble.cause].compactMap(\.self))
        #expect(lab.exits(of: target == "a" ? "b" : "a") == [])
        let isLost = trouble.cause != nil && target == "b" && point != .halfAcknowledged
        #expect(lab.ends.map(\.end) == [isLost ? .undeliverable : .delivered])
        lab.share("meanwhile", from: "c", to: "c")
        if !lab.device.guests.isRunning("a") { lab.launch(["a"]) }
        share("second", lab)
        #expect(lab.inbox(of: "b") == (isLost ? [] : ["first"]) + ["second"])
        #expect(lab.inbox(of: "c") == ["meanwhile"])
        lab.close()
      }
    }

    @Test func `while a fault holds the sender, the receiver's deadline is paused`() throws {
      let lab = try Lab(apps: ["a", "b"])
      var end: () -> Void = {}
      lab.device.faults.arm(Fault(number: 1, .wipe { end = $0 }, at: .delivered, guest: "a"))
      lab.begin(.sharing("x", with: "b"), on: "a")
      lab.wait("the strike") { lab.device.faults.armed == [] }
      for _ in 0..<10 { lab.pass(\.delivery) }
      #expect(lab.exits(of: "b") == [])
      end()
      lab.wait("the end of the share") { lab.ends.count == 1 }
      #expect(lab.ends.map(\.end) == [.delivered])
      lab.close()
    }

    @Test func `deliveries watch for faults only while a fault is armed`() throws {
      let lab = try Lab(apps: ["a", "b"])
      let deliveries = lab.device.services.deliveries
      let isWatched = { deliveries.faults != nil }
      #expect(!isWatched())
      lab.device.faults.arm(Fault(number: 1, .dropAnswer, at: .decided, guest: "b"))
      #expect(isWatched())
      share("it is the other's answer", lab)
      #expect(lab.device.faults.armed == [1])
      lab.device.faults.disarm()
      #expect(!isWatched())
      lab.close()
    }

    @Test func `a device that shuts down does not wait for faults`() throws {
      let lab = try Lab(apps: ["a", "b"])
      lab.device.faults.arm(
        Fault(number: 1, .stop(milliseconds: 3_600_000), at: .halfAcknowledged, guest: "b"))
      lab.share("x", from: "a", to: "b")
      #expect(lab.device.idleWatch.isBusy)
      lab.device.faults.subside()
      #expect(!lab.device.idleWatch.isBusy)
      lab.close()
    }
  }
}

/// Tests random number streams.
@Suite struct RandomStreamsTests {
  @Test func `a fault's random numbers depend on the seed, the fault's number and the case`() {
    func first(_ seed: UInt64, _ number: Int, _ series: String) -> UInt64 {
      var numbers = SplitMix(seed: seed, ofFault: number, in: series)
      return numbers.next()
    }
    #expect(first(1, 1, "a") == first(1, 1, "a"))
    let drawn = [1, 2].flatMap { seed in
      [1, 2].flatMap { number in ["a", "b"].map { first(seed, number, $0) } }
    }
    #expect(Set(drawn).count == 8)
  }

  /// Tests exits at critical moments.
  @Suite struct ShutdownTests {
    @Test func `a guest that is asked to stop before it is ready stops normally`() throws {
      let lab = try Lab()
      try lab.device.install(AppDescription(name: "brief", bundleID: "com.example.brief"))
      var isDone = false
      lab.device.guests.launch(["brief"]) {}
      lab.device.guests.stop(["brief"]) { isDone = true }
      lab.wait("the guest to stop") { isDone }
      #expect(!lab.device.guests.isRunning("brief"))
      #expect(lab.exits(of: "brief") == ["stopped"])
      lab.close()
    }

    @Test func `a device that shuts down starts no guests`() throws {
      let lab = try Lab(apps: ["late", "gone"])
      lab.stop("gone")
      lab.device.guests.suspend("late")
      lab.begin(.sharing("too late", with: "gone"), on: "late")
      lab.close()
      #expect(lab.device.guests.running.isEmpty)
    }

    @Test func `a guest relaunched after a kill is ready when the launch completes`() throws {
      let lab = try Lab(apps: ["phoenix"])
      var isReady: Bool?
      lab.device.guests.kill(["phoenix"]) {
        lab.device.guests.launch(["phoenix"]) { isReady = lab.device.isReady("phoenix") }
      }
      lab.wait("the guest to start again") { isReady != nil }
      #expect(isReady == true)
      lab.close()
    }
  }
}

extension Device {
  fileprivate func isReady(_ name: String) -> Bool {
    services.registry.guest(named: name)?.isReady ?? false
  }
}

@Suite struct SupervisionTests {
  private static let teardown = Teardown(within: 2_000)

  private func supervision(after events: [Supervision.Event]) -> Supervision {
    var supervision = Supervision(teardown: Self.teardown)
    for event in events { _ = supervision.handle(event) }
    return supervision
  }

  @Test func `a guest that ignores its stop request is terminated and then killed`() {
    var supervision = supervision(after: [.welcomed])
    #expect(supervision.handle(.stop) == [.askToStop, .wait(milliseconds: 1_500)])
    #expect(supervision.handle(.timedOut) == [.terminate, .wait(milliseconds: 500)])
    #expect(supervision.handle(.timedOut) == [.kill, .wait(milliseconds: 1_000)])
    #expect(supervision.handle(.timedOut) == [.kill, .wait(milliseconds: 1_000)])
    #expect(supervision.handle(.signalled(9)) == [.stopWaiting])
    #expect(supervision.state == .exited(.unresponsive(doing: "stopping")))
  }

  @Test func `a guest that exits with 0 after a stop request has stopped`() {
    let supervision = supervision(after: [.welcomed, .stop, .exited(status: 0)])
    #expect(supervision.state == .exited(.stopped))
  }

  @Test func `a guest that exits with an error after a stop request has failed`() {
    let supervision = supervision(after: [.welcomed, .stop, .exited(status: 3)])
    #expect(supervision.state == .exited(.exited(status: 3)))
  }

  @Test func `a guest that never sends its hello is killed`() {
    var supervision = supervision(after: [])
    #expect(supervision.handle(.timedOut) == [.kill, .wait(milliseconds: 1_000)])
    _ = supervision.handle(.signalled(9))
    #expect(supervision.state == .exited(.unresponsive(doing: "shaking hands")))
  }

  @Test func `a suspended guest is resumed before it is asked to stop`() {
    var supervision = supervision(after: [.welcomed, .suspend])
    #expect(supervision.state == .suspended)
    #expect(supervision.handle(.stop) == [.thaw, .askToStop, .wait(milliseconds: 1_500)])
  }

  @Test func `resuming a suspended guest makes it ready again`() {
    var supervision = supervision(after: [.welcomed])
    #expect(supervision.handle(.suspend) == [.freeze])
    #expect(supervision.handle(.suspend) == [])
    #expect(supervision.handle(.resume) == [.thaw])
    #expect(supervision.state == .ready)
  }

  @Test func `if a guest is ended for several reasons, the first reason is reported`() {
    let supervision = supervision(after: [
      .welcomed, .end(.protocolViolation("nonsense")), .end(.killed), .signalled(9),
    ])
    #expect(supervision.state == .exited(.protocolViolation("nonsense")))
  }

  @Test func `a guest's unrequested exit is reported with its status or signal`() {
    #expect(
      supervision(after: [.welcomed, .signalled(11)]).state == .exited(.signalled(signal: 11)))
    #expect(supervision(after: [.exited(status: 1)]).state == .exited(.exited(status: 1)))
  }

  @Test func `after a guest's exit, supervision events such as stop and suspend have no effect`() {
    var supervision = supervision(after: [.welcomed, .exited(status: 0)])
    for event: Supervision.Event in [.stop, .suspend, .resume, .timedOut, .end(.killed)] {
      #expect(supervision.handle(event) == [])
    }
  }
}
