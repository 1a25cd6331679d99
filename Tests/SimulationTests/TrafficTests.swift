import Model
import Testing

@testable import Simulation

struct TrafficTests {
  @Test func `what extensions handed back is taken once`() {
    let traffic = Traffic()
    traffic.decided(
      RequestDecision(
        request: 7, operation: .completeExtension,
        receiver: Participant(
          guest: "mail", app: "com.contoso.mail", identity: nil, isManaged: false),
        verdict: ExplainedVerdict(
          outcome: .allowed, deciding: .noRuleApplied, reasons: [], changes: [])))
    traffic.sent(Item(text: "HELLO"), by: 7)
    traffic.ended(7, .delivered)
    #expect(traffic.takeReturned() == [7: "HELLO"])
    #expect(traffic.takeReturned().isEmpty)
  }
}
