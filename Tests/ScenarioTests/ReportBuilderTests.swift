import Model
import Testing

@testable import Scenario

@Suite struct ReportBuilderTests {
  private func cases(_ kinds: [JournalEvent.Kind]) -> [CaseResult] {
    var builder = ReportBuilder()
    builder.add(ReportSamples.events(kinds))
    return builder.report.suites.flatMap(\.cases)
  }

  @Test func `a report groups cases by file and suite`() {
    let report = ReportSamples.report
    #expect(report.suites.map(\.file) == ["scenarios/SEND.yaml", nil])
    #expect(report.suites.map(\.cases.count) == [2, 2])
    #expect(report.count(of: .passed) == 1)
    #expect(report.count(of: .failed) == 1)
    #expect(report.count(of: .errored) == 2)
    #expect(!report.isPassed)
  }

  @Test func `a case is passed, failed or errored according to its steps`() {
    #expect(cases(ReportSamples.passed).map(\.outcome) == [.passed])
    #expect(cases(ReportSamples.failed).map(\.outcome) == [.failed])
    #expect(cases(ReportSamples.errored).map(\.outcome) == [.errored])
    #expect(cases(ReportSamples.unfinished).map(\.outcome) == [.errored])
  }

  @Test func `requests in undefined order are sorted and renumbered in the report`() throws {
    let asked: [(guest: String, operation: Operation, subject: String)] = [
      ("mail-2", .openFile, "b"), ("mail-10", .openFile, "a"), ("mail-2", .openFile, "a"),
      ("landmarks", .managedPassword, "b"), ("landmarks", .managedConfiguration, "x"),
      ("landmarks", .managedPassword, "a"), ("landmarks", .openFile, "z"),
    ]
    let told = { (order: [Int], unordered: Set<Int>) throws -> [String] in
      let decisions = order.enumerated().map { place, index in
        JournalEvent.Kind.decided(
          RequestDecision(
            request: 7 + 2 * place, operation: asked[index].operation,
            sender: Participant(
              guest: asked[index].guest, app: "a", identity: nil, isManaged: false),
            subject: asked[index].subject, verdict: ReportSamples.allowed.verdict))
      }
      let kinds: [JournalEvent.Kind] =
        [.caseBegan(suite: "s", name: "c", criterion: nil), .stepBegan(step: 3, text: "t")]
        + decisions + [.caseEnded]
      var builder = ReportBuilder()
      builder.add(
        CaseRecording(
          events: ReportSamples.events(kinds), duration: .zero, unordered: unordered))
      let step = try #require(builder.report.suites.first?.cases.first?.steps.first)
      return step.requests.map(\.decision).map {
        "\($0.request) \($0.sender?.guest ?? "") \($0.operation.rawValue) \($0.subject ?? "")"
      }
    }
    let expected = [
      "7 landmarks managedConfiguration x", "8 landmarks managedPassword a",
      "9 landmarks managedPassword b", "10 landmarks openFile z", "11 mail-2 openFile b",
      "12 mail-2 openFile a", "13 mail-10 openFile a",
    ]
    // The guests are in order of appearance. The requests of each guest are in order. The requests
    // of an app's tasks are in any order.
    for order in [[0, 1, 2, 3, 4, 5, 6], [1, 5, 0, 4, 2, 3, 6], [3, 4, 5, 6, 0, 2, 1]] {
      #expect(try told(order, [3]) == expected)
    }
    // Without concurrency, only the order of tasks is undefined.
    #expect(
      try told([0, 3, 1, 4, 5, 2, 6], [4]) == [
        "7 mail-2 openFile b", "9 landmarks managedConfiguration x", "11 mail-10 openFile a",
        "13 landmarks managedPassword a", "15 landmarks managedPassword b",
        "17 mail-2 openFile a", "19 landmarks openFile z",
      ])
  }

  @Test
  func `the report numbers extension instances in the order of their callers, not of their starts`()
    throws
  {
    let told = { (order: [Int]) throws -> CaseResult in
      var kinds: [JournalEvent.Kind] = [
        .caseBegan(suite: "s", name: "c", criterion: nil), .stepBegan(step: 1, text: "t"),
      ]
      for (place, sender) in order.enumerated() {
        kinds += [
          share(1 + place, from: "mail-\(sender)", to: "translate#\(1 + place)"),
          .extensionCancelled(
            guest: "translate#\(1 + place)", request: 1 + place, why: "\(sender)"),
        ]
      }
      for (place, sender) in order.enumerated().reversed() {
        let back = share(
          9 - place, from: "translate#\(1 + place)", to: "mail-\(sender)", of: [1 + place])
        kinds.append(back)
      }
      kinds += [
        .stepBegan(step: 2, text: "later"),
        share(20, from: "mail-2", to: "translate#4", of: [1 + order.firstIndex(of: 2)!]),
        .caseEnded,
      ]
      var builder = ReportBuilder()
      let output = (1...3).map { run in
        var output = GuestOutput(guest: "translate#\(run)")
        output.append("for \(order[run - 1])")
        return output
      }
      builder.add(
        CaseRecording(
          events: ReportSamples.events(kinds), duration: .zero, output: output, unordered: [1]))
      return try #require(builder.report.suites.first?.cases.first)
    }
    let expected = try told([1, 2, 3])
    #expect(
      expected.steps[0].requests.map { $0.decision.request } == [1, 2, 3, 4, 5, 6]
        && expected.steps[0].requests.map { $0.decision.from } == [[], [], [], [1], [2], [3]])
    #expect(expected.steps[1].requests.map { $0.decision.from } == [[2]])
    for order in [[1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
      #expect(try told(order) == expected)
    }
  }

  private func share(
    _ request: Int, from sender: String, to receiver: String, of items: [Int] = []
  ) -> JournalEvent.Kind {
    let participant = { Participant(guest: $0, app: "a", identity: nil, isManaged: false) }
    return .decided(
      RequestDecision(
        request: request, operation: .share, sender: participant(sender),
        receiver: participant(receiver), from: items, verdict: ReportSamples.allowed.verdict))
  }

  @Test func `a case with a step error and a failed expectation is errored`() {
    let kinds: [JournalEvent.Kind] = [
      .caseBegan(suite: "s", name: "c", criterion: nil), .stepBegan(step: 1, text: "t"),
      .expectation(step: 1, expected: "a", found: "b", isMet: false),
      .stepFailed(step: 1, why: "w"), .caseEnded,
    ]
    #expect(cases(kinds).map(\.outcome) == [.errored])
  }

  @Test func `the end of a request is reported at the step that made the request`() throws {
    let result = try #require(cases(ReportSamples.failed).first)
    #expect(result.steps.map(\.requests.count) == [1, 0])
    #expect(result.steps[0].requests[0].end == .undeliverable)
    #expect(result.steps[0].requests[0].detail == "viewer went away")
    #expect(result.steps[0].expectations.count == 2)
    #expect(result.steps[1].notes == ["viewer: killed by a step"])
  }

  @Test func `problems of declarations are reported as notes of the step that applied them`() {
    let problems = ["d/a.json:2:3: warning: b", "d/a.json:4:5: error: c"]
    let results = cases([
      .caseBegan(suite: "s", name: "c", criterion: nil),
      .declarationsApplied(configurations: [], problems: ["before the first step"]),
      .stepBegan(step: 1, text: "t"),
      .declarationsApplied(configurations: ["a"], problems: problems), .caseEnded,
    ])
    #expect(results.first?.steps.map(\.notes) == [problems])
  }

  @Test func `a case that lacks its end event is an error`() {
    let results = cases(Array(ReportSamples.passed.dropLast()) + ReportSamples.passed)
    #expect(results.map(\.outcome) == [.errored, .passed])
  }

  @Test func `a report ignores journal events that belong to no case or step`() {
    #expect(
      cases([.guestReady(guest: "mail"), .caseEnded, .stepFailed(step: 1, why: "w")]).isEmpty)
    let strays: [JournalEvent.Kind] = [
      .caseBegan(suite: "s", name: "c", criterion: nil),
      .ended(request: 5, end: .refused, detail: nil),
      .expectation(step: 4, expected: "a", found: "b", isMet: false), .caseEnded,
    ]
    #expect(cases(strays).map(\.outcome) == [.passed])
  }

  @Test func `a report built from journal lines equals the report of the original events`() throws {
    var builder = ReportBuilder()
    var again = ReportBuilder()
    for kinds in [ReportSamples.passed, ReportSamples.failed, ReportSamples.errored] {
      let events = ReportSamples.events(kinds)
      builder.add(events)
      again.add(try events.map { try JournalEvent(line: $0.line) })
    }
    #expect(builder.report == again.report)
  }

  // MARK: Several devices

  /// Returns a case of 1,000 devices `e-1` to `e-1000`, which all share a text. `found` returns
  /// each device's result by its number.
  private func fleet(_ found: (Int) -> String) -> Report {
    var recording = CaseRecording(events: [], duration: .zero)
    for number in 1...1_000 {
      let found = found(number)
      let kinds: [JournalEvent.Kind] = [
        .deviceStarted(device: "e-\(number)", seed: 1),
        .caseBegan(suite: "Fleet", name: "all share", criterion: nil),
        .stepBegan(step: 1, text: "mail shares `x` with viewer of e-\(number)"),
        .expectation(step: 1, expected: "end delivered", found: found, isMet: found.isEmpty),
        .caseEnded, .deviceStopped,
      ]
      var output = GuestOutput(guest: "viewer")
      output.append("e-\(number) is ready\n")
      recording.add(
        kinds.enumerated().map { JournalEvent(sequence: $0 + 1, time: 0, kind: $1) },
        of: "e-\(number)", output: [output], returned: [:])
    }
    var builder = ReportBuilder()
    builder.add(recording, file: "fleet.yaml")
    return builder.report
  }

  @Test
  func `a failure that many devices share is shown once, with its count and the first devices`() {
    let report = fleet { $0.isMultiple(of: 16) ? "" : $0 == 999 ? "end lost" : "end refused" }
    #expect(
      report.text() == """
        Fleet (fleet.yaml)
          failed all share
            1. 937× e-1, e-2, e-3 and 934 more: mail shares `x` with viewer of e-1
               expected end delivered, found end refused
            1. e-999: mail shares `x` with viewer of e-999
               expected end delivered, found end lost
            1. 62× e-16, e-32, e-48 and 59 more: mail shares `x` with viewer of e-16
            1000× e-1/viewer, e-2/viewer, e-3/viewer and 997 more wrote
              e-1 is ready

        1 case: 1 failed

        """)
    // Machine-readable reports are complete.
    #expect(report.junit().ranges(of: "found end refused").count == 1_875)
    #expect(report.json().ranges(of: "found\":\"end refused").count == 937)
    #expect(report.tap().ranges(of: "found end refused").count == 937)
  }

  @Test func `a fleet report lists a limited number of distinct failures and counts the rest`() {
    let report = fleet { number in "end \(number % 5)" }
    let lines = report.text(mostFailures: 2).split(separator: "\n").map(String.init)
    #expect(
      lines[2...6] == [
        "    1. 200× e-1, e-6, e-11 and 197 more: mail shares `x` with viewer of e-1",
        "       expected end delivered, found end 1",
        "    1. 200× e-2, e-7, e-12 and 197 more: mail shares `x` with viewer of e-2",
        "       expected end delivered, found end 2",
        "    3 more distinct failures, on 600 devices",
      ])
    #expect(report.text(mostFailures: 5) == report.text())
  }

  @Test func `a report limited to failures has failed cases, failed steps and the summary`() {
    let text = ReportSamples.report.text(detail: .failures)
    #expect(!text.contains("org data stays"))
    #expect(text.contains("  failed private data moves\n    1. mail shares `Shopping list`"))
    // The second step's expectation was met.
    #expect(!text.contains("2. kill viewer"))
    #expect(text.hasSuffix("\n4 cases: 1 passed, 1 failed, 2 errored\n"))
    var passing = ReportBuilder()
    passing.add(ReportSamples.events(ReportSamples.passed), file: "SEND.yaml")
    #expect(passing.report.text(detail: .failures) == "1 case: 1 passed\n")
  }
}
