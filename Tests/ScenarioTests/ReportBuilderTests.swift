import Scenario
import Testing
import Transfer

@Suite struct ReportBuilderTests {
  private func cases(_ kinds: [JournalEvent.Kind]) -> [CaseResult] {
    var builder = ReportBuilder()
    builder.add(ReportSamples.events(kinds))
    return builder.report.suites.flatMap(\.cases)
  }

  @Test func casesAreGroupedByFileAndSuite() {
    let report = ReportSamples.report
    #expect(report.suites.map(\.file) == ["scenarios/SEND.yaml", nil])
    #expect(report.suites.map(\.cases.count) == [2, 2])
    #expect(report.count(of: .passed) == 1)
    #expect(report.count(of: .failed) == 1)
    #expect(report.count(of: .errored) == 2)
    #expect(!report.isPassed)
  }

  @Test func outcomesFollowFromSteps() {
    #expect(cases(ReportSamples.passed).map(\.outcome) == [.passed])
    #expect(cases(ReportSamples.failed).map(\.outcome) == [.failed])
    #expect(cases(ReportSamples.errored).map(\.outcome) == [.errored])
    #expect(cases(ReportSamples.unfinished).map(\.outcome) == [.errored])
  }

  @Test func aStepThatCouldNotBeCarriedOutOutweighsAnExpectation() {
    let kinds: [JournalEvent.Kind] = [
      .caseBegan(suite: "s", name: "c", criterion: nil), .stepBegan(step: 1, text: "t"),
      .expectation(step: 1, expected: "a", found: "b", isMet: false),
      .stepFailed(step: 1, why: "w"), .caseEnded,
    ]
    #expect(cases(kinds).map(\.outcome) == [.errored])
  }

  @Test func anEndBelongsToTheStepOfItsRequest() throws {
    let result = try #require(cases(ReportSamples.failed).first)
    #expect(result.steps.map(\.requests.count) == [1, 0])
    #expect(result.steps[0].requests[0].end == .undeliverable)
    #expect(result.steps[0].requests[0].detail == "viewer went away")
    #expect(result.steps[0].expectations.count == 2)
    #expect(result.steps[1].notes == ["viewer: killed by a step"])
  }

  @Test func whatIsOddAboutDeclarationsIsNotedAtTheirStep() {
    let problems = ["d/a.json:2:3: warning: b", "d/a.json:4:5: error: c"]
    let results = cases([
      .caseBegan(suite: "s", name: "c", criterion: nil),
      .declarationsApplied(configurations: [], problems: ["before the first step"]),
      .stepBegan(step: 1, text: "t"),
      .declarationsApplied(configurations: ["a"], problems: problems), .caseEnded,
    ])
    #expect(results.first?.steps.map(\.notes) == [problems])
  }

  @Test func aCaseThatAnotherFollowsTooEarlyIsErrored() {
    let results = cases(Array(ReportSamples.passed.dropLast()) + ReportSamples.passed)
    #expect(results.map(\.outcome) == [.errored, .passed])
  }

  @Test func whatHappensOutsideCasesIsNoPartOfThem() {
    #expect(
      cases([.guestReady(guest: "mail"), .caseEnded, .stepFailed(step: 1, why: "w")]).isEmpty)
    let strays: [JournalEvent.Kind] = [
      .caseBegan(suite: "s", name: "c", criterion: nil),
      .ended(request: 5, end: .refused, detail: nil),
      .expectation(step: 4, expected: "a", found: "b", isMet: false), .caseEnded,
    ]
    #expect(cases(strays).map(\.outcome) == [.passed])
  }

  @Test func theReportIsMadeOfTheJournalsLinesAlone() throws {
    var builder = ReportBuilder()
    var again = ReportBuilder()
    for kinds in [ReportSamples.passed, ReportSamples.failed, ReportSamples.errored] {
      let events = ReportSamples.events(kinds)
      builder.add(events)
      again.add(try events.map { try JournalEvent(line: $0.line) })
    }
    #expect(builder.report == again.report)
  }
}
