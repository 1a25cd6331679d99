internal import Foundation
internal import FoundationExtensions
internal import Testing

@Suite struct SelectorTimerTests {
  /// Records the calls of its methods.
  private final class Target: NSObject {
    var calls: [String] = []
    var infos: [String?] = []

    func tick(_ timer: Timer) {
      calls.append("tick")
      infos.append(timer.userInfo as? String)
    }

    func name(_ argument: String) { calls.append(argument) }

    static let tick = Selector("tick:", Target.tick)
    static let name = Selector("name:", Target.name)
  }

  private let target = Target()

  /// Runs the thread's run loop until the target has been called `count` times.
  private func waitForCalls(_ count: Int) {
    while target.calls.count < count {
      // A timer's call does not end `run(mode:before:)`.
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
  }

  @Test func `a repeating timer calls its selector with the timer and its user info`() {
    let timer = Timer.scheduledTimer(
      timeInterval: 0.001, target: target, selector: Target.tick, userInfo: "info", repeats: true)
    waitForCalls(3)
    #expect(timer.isValid)
    timer.invalidate()
    #expect(target.infos.allSatisfy { $0 == "info" })
  }

  @Test func `a timer that does not repeat is invalid after its call`() {
    let timer = Timer(
      timeInterval: 0, target: target, selector: Target.tick, userInfo: nil, repeats: false)
    RunLoop.current.add(timer, forMode: .default)
    waitForCalls(1)
    #expect(!timer.isValid)
    #expect(target.infos == [nil])
  }

  @Test func `a selector timer retains its target until the timer is invalidated`() {
    weak var released: Target?
    let timer: Timer
    do {
      let target = Target()
      released = target
      timer = Timer.scheduledTimer(
        timeInterval: .greatestFiniteMagnitude, target: target, selector: Target.tick,
        userInfo: nil, repeats: true)
    }
    #expect(released != nil)
    timer.invalidate()
    #expect(released == nil)
  }

  @Test func `delayed calls are made in the order of their delays`() {
    target.perform(Target.name, with: "late", afterDelay: 0.01)
    target.perform(Target.name, with: "early", afterDelay: 0)
    #expect(target.calls.isEmpty)
    waitForCalls(2)
    #expect(target.calls == ["early", "late"])
  }

  @Test func `a cancelled delayed call is not made`() {
    target.perform(Target.name, with: "one", afterDelay: 0)
    target.perform(Target.name, with: "two", afterDelay: 0)
    target.perform(Target.name, with: "three", afterDelay: 0.01)
    NSObject.cancelPreviousPerformRequests(
      withTarget: target, selector: Target.name, object: "one")
    waitForCalls(2)
    #expect(target.calls == ["two", "three"])
  }

  @Test func `all delayed calls of an object can be cancelled`() {
    let other = Target()
    other.perform(Target.name, with: "cancelled", afterDelay: 0)
    target.perform(Target.name, with: "made", afterDelay: 0.01)
    NSObject.cancelPreviousPerformRequests(withTarget: other)
    waitForCalls(1)
    #expect(other.calls.isEmpty)
  }

  @Test func `a background call is made on another thread`() async {
    final class Caller: NSObject {
      let continuation: CheckedContinuation<Bool, Never>
      init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = continuation }
      func call() { continuation.resume(returning: Thread.isMainThread) }
    }
    let isMain = await withCheckedContinuation { continuation in
      Caller(continuation).performSelector(
        inBackground: Selector("call", Caller.call), with: nil)
    }
    #expect(!isMain)
  }
}
