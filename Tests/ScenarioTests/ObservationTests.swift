import Model
import Testing

@testable import Scenario

@Suite struct ObservationTests {
  private let verdict = ExplainedVerdict(
    outcome: .allowed, deciding: .unmanagedSender,
    reasons: [
      Explanation(rule: .unmanagedSender, side: .sender, text: "a"),
      Explanation(rule: .receiveAllApps, side: .receiver, text: "b"),
    ], changes: [])

  @Test func `every stated expectation is compared with the observation`() {
    let expectation = Expectation(
      verdict: .allowed, reasons: [.receiveAllApps, .receiveNone], deciding: .receiveAllApps,
      end: .delivered, status: 0, exit: "killed", received: "text", identity: .unknown,
      isManaged: false)
    let observation = Observation(
      verdict: verdict, end: .refused, status: 0, received: "other", identity: .account("anna"),
      isManaged: false)
    let found = expectation.compare(with: observation).map { "\($0.isMet ? "+" : "-") \($0.text)" }
    #expect(
      found == [
        "+ expected verdict allowed, found verdict allowed",
        "+ expected reason receiveAllApps, found reasons unmanagedSender, receiveAllApps",
        "- expected reason receiveNone, found reasons unmanagedSender, receiveAllApps",
        "- expected deciding rule receiveAllApps, found deciding rule unmanagedSender",
        "- expected end delivered, found end refused",
        "+ expected status 0, found status 0",
        "- expected exit killed, found no exit",
        "- expected received text `text`, found received text `other`",
        "- expected identity unknown, found identity anna",
        "+ expected identity unmanaged, found identity unmanaged",
      ])
  }

  @Test func `the items that an extension returns are compared with expectations in order`() {
    let expectation = Expectation(returned: [
      Expectation(end: .delivered, received: "A"), Expectation(end: .refused),
    ])
    let observation = Observation(returned: [Observation(end: .delivered, received: "A")])
    let found = expectation.compare(with: observation).map { "\($0.isMet ? "+" : "-") \($0.text)" }
    #expect(
      found == [
        "+ expected returned item: end delivered, found returned item: end delivered",
        "+ expected returned item: received text `A`, found returned item: received text `A`",
        "- expected returned item: end refused, found returned item: no end",
      ])
  }

  @Test func `comparisons quote only the start of long texts`() {
    let kept = String(repeating: "é", count: 200)
    let found = [kept, kept + "x", String(repeating: "x", count: 16_700_000)].map { text in
      Expectation(received: "ok").compare(with: Observation(received: text)).map(\.found)
    }
    let start = String(repeating: "x", count: 200)
    #expect(
      found == [
        ["received text `\(kept)`"], ["received text `\(kept)…` of 201 characters"],
        ["received text `\(start)…` of 16700000 characters"],
      ])
  }

  @Test func `long texts that differ only after the quoted start do not match`() {
    let text = String(repeating: "x", count: 1_000)
    let results: [Comparison] = [text, text + "y"].flatMap { found in
      Expectation(received: text).compare(with: Observation(received: found))
    }
    #expect(results.map(\.isMet) == [true, false])
  }

  @Test func `absent expectations are not compared`() {
    #expect(Expectation().compare(with: Observation(verdict: verdict)).isEmpty)
  }

  @Test func `an expected verdict, reason or identity that is absent fails the expectation`() {
    let expectation = Expectation(verdict: .blocked, reasons: [.sendNone], isManaged: false)
    let results = expectation.compare(with: Observation())
    #expect(results.map(\.found) == ["no verdict", "no reason", "no identity"])
    #expect(results.allSatisfy { !$0.isMet })
  }
}
