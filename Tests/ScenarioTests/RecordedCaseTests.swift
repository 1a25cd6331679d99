import Model
import Scenario
import Testing

@Suite struct RecordedCaseTests {
  private static let begin = JournalEvent.Kind.caseBegan(suite: "s", name: "c", criterion: nil)
  private static let step = JournalEvent.Kind.stepBegan(step: 1, text: "a")

  private func cases(_ kinds: [JournalEvent.Kind]) -> [RecordedCase] {
    let events = kinds.enumerated().map { JournalEvent(sequence: $0 + 1, time: 0, kind: $1) }
    return RecordedJournal(events, name: "j").cases
  }

  @Test(
    arguments: [
      ([.caseEnded], .passed), ([], .errored),
      ([.expectation(step: 1, expected: "a", found: "b", isMet: false), .caseEnded], .failed),
      ([.stepFailed(step: 1, why: "no"), .caseEnded], .errored),
    ] as [([JournalEvent.Kind], CaseOutcome)])
  func `a case is judged as in reports`(kinds: [JournalEvent.Kind], outcome: CaseOutcome) {
    #expect(cases([Self.begin, Self.step] + kinds).map(\.result.outcome) == [outcome])
  }

  @Test func `cases and steps have their places in the journal`() {
    let cases = cases([
      .deviceStarted(device: "d", seed: 1), Self.begin, Self.step,
      .stepBegan(step: 2, text: "b"), .caseEnded, .deviceStopped, Self.begin, Self.step,
    ])
    #expect(cases.map(\.events) == [1..<5, 6..<8])
    #expect(cases.map(\.steps) == [[2, 3], [7]])
  }

  @Test func `a journal of a device alone has no cases`() {
    #expect(cases([.deviceStarted(device: "d", seed: 1), .deviceStopped]).isEmpty)
  }
}
