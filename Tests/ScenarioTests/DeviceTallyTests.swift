import Model
import Scenario
import Testing

@Suite struct DeviceTallyTests {
  private static func decided(
    _ number: Int, _ operation: Model.Operation, _ outcome: Outcome
  ) -> JournalEvent.Kind {
    let sender = Participant(
      guest: "mail", app: "com.contoso.mail", identity: nil, isManaged: false)
    let receiver = Participant(
      guest: "viewer", app: "org.example.viewer", identity: nil, isManaged: false)
    return .decided(
      RequestDecision(
        request: number, operation: operation, sender: sender, receiver: receiver,
        verdict: ExplainedVerdict(
          outcome: outcome, deciding: .noRuleApplied,
          reasons: [
            Explanation(
              rule: .noRuleApplied, side: .device, source: "base.json:7", text: "nothing")
          ], changes: [])))
  }

  private func tally(_ kinds: [JournalEvent.Kind]) -> DeviceTally {
    var tally = DeviceTally()
    for (index, kind) in kinds.enumerated() {
      tally.add(JournalEvent(sequence: index + 1, time: 0, kind: kind))
    }
    return tally
  }

  private func text(_ tally: DeviceTally, width: Int = 100, height: Int = 40) -> String {
    tally.lines(width: width, height: height).joined(separator: "\n")
  }

  @Test func `the tally has guests, requests by operation and outcome, and the latest blocks`() {
    let tally = tally([
      .guestStarted(guest: "mail", app: "com.contoso.mail", team: "TEAM1"),
      .guestStarted(guest: "viewer", app: "org.example.viewer", team: "TEAM1"),
      .guestSuspended(guest: "viewer"), Self.decided(1, .share, .allowed),
      .ended(request: 1, end: .delivered), Self.decided(2, .share, .blocked),
    ])
    #expect(
      text(tally) == """
        1970-01-01T00:00:00Z  2 guests run, 1 suspended
        2 requests, 1 open

        operation                allowed encrypted   blocked
        share                          1         0         1

        latest blocks
        request 2 share mail → viewer: blocked by noRuleApplied, base.json:7
        """)
  }

  @Test func `the tally has no running guests after the device restarts`() {
    let tally = tally([
      .guestStarted(guest: "mail", app: "com.contoso.mail", team: "TEAM1"),
      .deviceStarted(device: "d", seed: 1),
    ])
    #expect(text(tally).contains("0 guests run"))
  }

  @Test func `control characters in printed names are escaped`() {
    var decision = RequestDecision(
      request: 1, operation: .openURL, subject: "x:\u{1B}[2J\u{202E}\n",
      verdict: ExplainedVerdict(
        outcome: .blocked, deciding: .noRuleApplied, reasons: [], changes: []))
    decision.sender = Participant(guest: "mail", app: "a.b", identity: nil, isManaged: false)
    let text = text(tally([.decided(decision)]))
    #expect(
      text.contains(
        "request 1 openURL mail → x:\u{FFFD}[2J\u{FFFD}\u{FFFD}: blocked by noRuleApplied"))
  }

  @Test func `the tally's request rate covers the time since the last update`() {
    var tally = tally((1...30).map { Self.decided($0, .share, .allowed) })
    tally.takeRate(over: 2)
    #expect(text(tally).contains("30 requests, 15 a second"))
    tally.takeRate(over: 1)
    #expect(text(tally).contains("30 requests, 0 a second"))
    tally.takeRate(over: nil)
    #expect(!text(tally).contains("a second"))
  }

  @Test(arguments: [(20, 5), (80, 24), (1, 1), (40, 3)])
  func `the printed tally of a device fits the terminal's width and height`(width: Int, height: Int)
  {
    let tally = tally((1...30).map { Self.decided($0, .share, .blocked) })
    let lines = tally.lines(width: width, height: height)
    #expect(lines.count <= height)
    #expect(lines.allSatisfy { $0.count <= width })
  }
}
