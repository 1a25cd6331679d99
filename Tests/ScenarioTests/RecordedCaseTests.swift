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
  func `journal events determine whether a recorded case passed, failed or errored`(
    kinds: [JournalEvent.Kind], outcome: CaseOutcome
  ) {
    #expect(cases([Self.begin, Self.step] + kinds).map(\.result.outcome) == [outcome])
  }

  @Test func `each recorded case and step has its range of journal events`() {
    let cases = cases([
      .deviceStarted(device: "d", seed: 1), Self.begin, Self.step,
      .stepBegan(step: 2, text: "b"), .caseEnded, .deviceStopped, Self.begin, Self.step,
    ])
    #expect(cases.map(\.events) == [1..<5, 6..<8])
    #expect(cases.map(\.steps) == [[2, 3], [7]])
  }

  @Test func `a case on several devices is one case, with its steps in each journal`() throws {
    func journal(_ device: String, _ kinds: [JournalEvent.Kind]) -> RecordedJournal {
      let all = [.deviceStarted(device: device, seed: 1), Self.begin] + kinds + [.caseEnded]
      return RecordedJournal(
        all.enumerated().map { JournalEvent(sequence: $0 + 1, time: 0, kind: $1) }, name: device)
    }
    let group = RecordedGroup([
      journal("one", [Self.step, .stepBegan(step: 3, text: "c")]),
      journal("two", [Self.step, .stepBegan(step: 2, text: "b"), .stepFailed(step: 2, why: "no")]),
    ])
    let test = try #require(group.cases.first)
    #expect(group.cases.count == 1)
    #expect(test.result.outcome == .errored)
    // Steps that both devices performed alike are one step. Each step ends where the next step of
    // its own journal begins.
    #expect(test.result.steps.map(\.text) == ["a", "two: b", "one: c"])
    #expect(
      test.steps == [
        [.init(journal: 0, events: 2..<3), .init(journal: 1, events: 2..<3)],
        [.init(journal: 1, events: 3..<6)], [.init(journal: 0, events: 3..<5)],
      ])
    #expect(test.spans == [.init(journal: 0, events: 1..<5), .init(journal: 1, events: 1..<6)])
  }

  @Test func `the journal of a device without a scenario has no cases`() {
    #expect(cases([.deviceStarted(device: "d", seed: 1), .deviceStopped]).isEmpty)
  }
}
