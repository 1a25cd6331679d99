import EventLoop
import Model
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Faults that strike one of two guests while one shares with the other.
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

    /// Shares, and waits until that has ended and no fault goes on.
    private func share(_ text: String, _ lab: Lab) {
      let count = lab.ends.count
      lab.device.driver.perform(
        .share(Share(destination: "b", item: Item(text: text))), on: "a"
      ) { _ in }
      // Time for a fault once it has struck, and less than any deadline of guests.
      var passed = 0
      lab.wait("the end") {
        if lab.device.faults.armed == [], passed < 2_000 {
          lab.device.loop.advance(by: 10)
          passed += 10
        }
        return lab.ends.count > count && !lab.device.rest.isBusy
      }
    }

    @Test(arguments: Trouble.allCases, FaultPoint.allCases)
    func `an item comes once, or it is undeliverable, and the others go on`(
      trouble: Trouble, point: FaultPoint
    ) throws {
      for target in ["a", "b"] where trouble != .dropAnswer || target == "a" {
        let lab = try Lab()
        for name in ["a", "b", "c"] { try lab.app(name) }
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

    @Test func `a guest that a fault holds owes nothing meanwhile`() throws {
      let lab = try Lab()
      for name in ["a", "b"] { try lab.app(name) }
      var end: () -> Void = {}
      lab.device.faults.arm(Fault(number: 1, .wipe { end = $0 }, at: .delivered, guest: "a"))
      lab.device.driver.perform(
        .share(Share(destination: "b", item: Item(text: "x"))), on: "a"
      ) { _ in }
      lab.wait("the strike") { lab.device.faults.armed == [] }
      for _ in 0..<10 { lab.pass(\.delivery) }
      #expect(lab.exits(of: "b") == [])
      end()
      lab.wait("the end of the share") { lab.ends.count == 1 }
      #expect(lab.ends.map(\.end) == [.delivered])
      lab.close()
    }

    @Test func `while no fault waits, transfers look for none`() throws {
      let lab = try Lab()
      for name in ["a", "b"] { try lab.app(name) }
      let deliveries = lab.device.owners.deliveries
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

    @Test func `a device that goes down waits for no fault`() throws {
      let lab = try Lab()
      for name in ["a", "b"] { try lab.app(name) }
      lab.device.faults.arm(
        Fault(number: 1, .stop(milliseconds: 3_600_000), at: .halfAcknowledged, guest: "b"))
      lab.share("x", from: "a", to: "b")
      #expect(lab.device.rest.isBusy)
      lab.device.faults.subside()
      #expect(!lab.device.rest.isBusy)
      lab.close()
    }
  }
}

/// The streams of random numbers.
@Suite struct RandomStreamsTests {
  @Test func `each fault of each case has numbers of its own, the same for the same seed`() {
    func first(_ seed: UInt64, _ number: Int, _ series: String) -> UInt64 {
      var numbers = RandomStreams(seed: seed).stream(.fault(number, series: series))
      return numbers.next()
    }
    #expect(first(1, 1, "a") == first(1, 1, "a"))
    let drawn = [1, 2].flatMap { seed in
      [1, 2].flatMap { number in ["a", "b"].map { first(seed, number, $0) } }
    }
    #expect(Set(drawn).count == 8)
  }
}
