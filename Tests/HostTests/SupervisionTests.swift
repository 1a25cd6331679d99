import Model
import Testing

@testable import Host

@Suite struct SupervisionTests {
  private static let teardown = Teardown(within: 2_000)

  private func supervision(after events: [Supervision.Event]) -> Supervision {
    var supervision = Supervision(teardown: Self.teardown)
    for event in events { _ = supervision.handle(event) }
    return supervision
  }

  @Test func `a guest is asked, then terminated, then killed`() {
    var supervision = supervision(after: [.welcomed])
    #expect(supervision.handle(.stop) == [.askToStop, .wait(milliseconds: 1_500)])
    #expect(supervision.handle(.timedOut) == [.terminate, .wait(milliseconds: 500)])
    #expect(supervision.handle(.timedOut) == [.kill, .wait(milliseconds: 1_000)])
    #expect(supervision.handle(.timedOut) == [.kill, .wait(milliseconds: 1_000)])
    #expect(supervision.handle(.signalled(9)) == [.stopWaiting])
    #expect(supervision.state == .exited(.unresponsive(doing: "stopping")))
  }

  @Test func `a guest that exits with 0 after it was asked has stopped`() {
    let supervision = supervision(after: [.welcomed, .stop, .exited(status: 0)])
    #expect(supervision.state == .exited(.stopped))
  }

  @Test func `a guest that fails while stopping has failed`() {
    let supervision = supervision(after: [.welcomed, .stop, .exited(status: 3)])
    #expect(supervision.state == .exited(.exited(status: 3)))
  }

  @Test func `a guest that never says hello is killed`() {
    var supervision = supervision(after: [])
    #expect(supervision.handle(.timedOut) == [.kill, .wait(milliseconds: 1_000)])
    _ = supervision.handle(.signalled(9))
    #expect(supervision.state == .exited(.unresponsive(doing: "shaking hands")))
  }

  @Test func `a suspended guest is thawed before it is asked to stop`() {
    var supervision = supervision(after: [.welcomed, .suspend])
    #expect(supervision.state == .suspended)
    #expect(supervision.handle(.stop) == [.thaw, .askToStop, .wait(milliseconds: 1_500)])
  }

  @Test func `suspending and resuming lead back`() {
    var supervision = supervision(after: [.welcomed])
    #expect(supervision.handle(.suspend) == [.freeze])
    #expect(supervision.handle(.suspend) == [])
    #expect(supervision.handle(.resume) == [.thaw])
    #expect(supervision.state == .ready)
  }

  @Test func `the first reason to end a guest is the one that counts`() {
    let supervision = supervision(after: [
      .welcomed, .end(.protocolViolation("nonsense")), .end(.killed), .signalled(9),
    ])
    #expect(supervision.state == .exited(.protocolViolation("nonsense")))
  }

  @Test func `an exit nobody asked for is reported as it was`() {
    #expect(
      supervision(after: [.welcomed, .signalled(11)]).state == .exited(.signalled(signal: 11)))
    #expect(supervision(after: [.exited(status: 1)]).state == .exited(.exited(status: 1)))
  }

  @Test func `nothing happens to a guest that has exited`() {
    var supervision = supervision(after: [.welcomed, .exited(status: 0)])
    for event: Supervision.Event in [.stop, .suspend, .resume, .timedOut, .end(.killed)] {
      #expect(supervision.handle(event) == [])
    }
  }
}
