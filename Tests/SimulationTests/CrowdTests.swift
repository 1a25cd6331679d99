import Model
import Scenario
import SimulationSupport
import TestSupport
import Testing

@testable import Simulation

/// The order in which the steps of a case are carried out.
@Suite struct StepCursorTests {
  private static let steps: [Step] = {
    let text = """
      apps: { "shop-{1..3}": { bundle: "com.contoso.shop-{n}" } }
      steps:
        - launch: shop-1
        - traffic: { seconds: 5, perApp: 1/s, kinds: { copy: 1 } }
          repeat: 2
        - advance: PT1S
      """
    do throws(ScenarioErrors) {
      return try Scenario.read(text, file: "test.yaml").cases[0].steps
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  @Test
  func `each repetition of a traffic step runs all its parts under the step's number`() {
    var cursor = StepCursor(Self.steps)
    var found: [(step: Step, number: Int)] = []
    while !cursor.isAtEnd, let next = cursor.next() { found.append(next) }
    #expect(cursor.next() == nil)
    let parts = Self.steps[1].carriedOut
    #expect(parts.count > 5)
    #expect(found.map(\.number) == [1] + Array(repeating: 2, count: 2 * parts.count) + [3])
    #expect(found.map(\.step) == [Self.steps[0]] + parts + parts + [Self.steps[2]])
  }

  @Test func `a case can resume in the middle of a traffic step`() {
    let parts = Self.steps[1].carriedOut
    var cursor = StepCursor(Self.steps)
    cursor.skip(to: 2, begun: parts.count + 1)
    #expect(cursor.last == parts[0])
    #expect(cursor.next()?.step == parts[1])
    cursor.skipToEnd()
    #expect(cursor.isAtEnd)
    #expect(cursor.next() == nil)
  }
}

extension RealProcesses {
  @Suite struct CrowdTests {
    private static let crowd = """
      apps:
        shop-{1..6}:
          bundle: com.contoso.shop-{n}
          schemes: ["shop{n}"]
      steps:
        - traffic: { seconds: 120, perApp: 3/min, kinds: { share: 3, copy: 1, paste: 1, openURL: 1 } }
        - advance: PT1S
      """

    @Test func `apps of a traffic step act in virtual time, and every run has the same report`()
      throws
    {
      let stage = try Stage()
      let result = try stage.play(text: Self.crowd)
      #expect(result.report.isPassed, "\(result.report.text())")
      let events = result.journals[0].split(separator: "\n").compactMap {
        try? JournalEvent(line: String($0)).kind
      }
      let requests = events.compactMap { event in
        if case .decided(let decision) = event { decision } else { nil }
      }
      // Six apps act three times a minute.
      #expect(requests.count == 36)
      #expect(Set(requests.map(\.operation)) == [.share, .copy, .paste, .openURL])
      let shares = requests.filter { $0.operation == .share }
      #expect(shares.allSatisfy { $0.verdict.outcome == .allowed })
      let ends = events.count { if case .ended(_, .delivered, _, _) = $0 { true } else { false } }
      #expect(ends >= shares.count)
      #expect(try stage.play(text: Self.crowd).report.json() == result.report.json())
    }

    @Test func `a traffic step with crashing apps still delivers some items`() throws {
      let text = Self.crowd.replacing(
        "    schemes:", with: "    behaviour: { crash: 50 % }\n    schemes:")
      let result = try Stage().play(text: text)
      #expect(result.report.isPassed, "\(result.report.text())")
      let journal = result.journals[0]
      #expect(journal.contains("\"undeliverable\""))
      #expect(journal.contains("\"delivered\""))
    }
  }
}
