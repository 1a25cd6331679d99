import Encodings
import Model
import TestSupport
import Testing

@testable import Scenario

/// Tests how steps are written back as YAML.
@Suite struct StepEntryTests {
  private static let shipped = Repository.files(in: "scenarios", suffix: ".yaml")

  @Test(arguments: shipped)
  func `a printed step is read as the same step`(file: String) throws {
    let text = try Repository.read(file)
    let scenario = try Scenario.read(text, file: file)
    let reader = StepReader(scenario)
    let members = try YAMLReader.read(text).mapping()
    let cases = try members.first { $0.key == "cases" }?.value.sequence() ?? []
    let lists =
      try members.filter { $0.key == "steps" }.map(\.value)
      + cases.flatMap { try $0.mapping().filter { $0.key == "steps" }.map(\.value) }
    let written = try lists.flatMap { try $0.sequence() }
    let steps = scenario.cases.flatMap(\.steps)
    #expect(written.count == steps.count)
    for (value, step) in zip(written, steps) {
      let entry = try reader.step(yaml: value.flowText)
      #expect(entry.step.action.isSame(as: step.action))
      #expect(entry.step.expectation == step.expectation)
      let again = try reader.step(yaml: entry.text(repeated: step.count)).step
      #expect(again.action.isSame(as: step.action), "\(entry.text())")
      #expect(again.task == step.task, "\(entry.text())")
      #expect(again.count == step.count)
    }
  }

  @Test(arguments: [
    "", "yes", "12", "-", "- a", "a: b", "a, b", "{ a }", "#", "'", "\"", "\\", "~", "null", "é",
    "a\nb", " a ", "\u{1b}[0m", "-1", "1e3", "0x1F", "*a", "&a", "!x", "|", "%", "@", "`",
    "\u{81}", "\u{85}", "a\u{2028}b", "\u{FEFF}", "\u{FFFE}\u{FFFF}", "😀", "\0",
  ])
  func `any text in a step is unchanged after printing and reading`(_ text: String) throws {
    let value = YAMLValue(
      kind: .mapping([
        YAMLValue.Member(
          key: "text", position: .init(line: 1, column: 1),
          value: YAMLValue(
            kind: .scalar(text, isPlain: false), position: .init(line: 1, column: 1), name: "text"))
      ]), position: .init(line: 1, column: 1), name: "text")
    let again = try YAMLReader.read(value.flowText)
    let read = try again.mapping().first?.value
    if case .scalar(let found, _)? = read?.kind { #expect(found == text) } else { Issue.record() }
    #expect(read?.isEmpty == false || text.isEmpty)
  }

  @Test func `a recorded expectation has only the results common to all repetitions of the step`()
    throws
  {
    let reader = StepReader(
      try Scenario.read(
        """
        apps: { mail: { bundle: com.contoso.mail }, viewer: { bundle: org.example.viewer } }
        steps: [{ launch: mail }]
        """, file: "test.yaml"))
    let entry = try reader.step(
      yaml:
        "{ share: { from: mail, to: viewer, text: x }, expect: { verdict: blocked }, repeat: 3 }")
    func observed(_ end: RequestEnd, _ returned: [Observation] = []) -> Observation {
      let verdict = ExplainedVerdict(
        outcome: .allowed, deciding: .noRuleApplied, reasons: [], changes: [])
      return Observation(verdict: verdict, end: end, returned: returned)
    }
    let one = try #require(entry.expectation(of: [observed(.delivered)]))
    #expect(one == "{ verdict: allowed, decidedBy: noRuleApplied, end: delivered }")
    #expect(
      entry.expectation(of: [observed(.delivered), observed(.failed)])
        == "{ verdict: allowed, decidedBy: noRuleApplied }")
    #expect(
      entry.expectation(of: [observed(.delivered, [observed(.failed)])])
        == "{ verdict: allowed, decidedBy: noRuleApplied, end: delivered, "
        + "returned: [{ verdict: allowed, decidedBy: noRuleApplied, end: failed }] }")
    #expect(entry.expectation(of: [Observation()]) == nil)
    #expect(
      entry.text(repeated: 2, expecting: one) == """
              - share: { from: mail, to: viewer, text: x }
                repeat: 2
                expect: { verdict: allowed, decidedBy: noRuleApplied, end: delivered }

        """)
  }

  @Test func `relocating a step rewrites declaration folders, also within concurrent steps`() throws
  {
    let reader = StepReader(
      try Scenario.read(
        "apps: { mail: { bundle: com.contoso.mail } }\nsteps: [{ launch: mail }]",
        file: "test.yaml"))
    func moved(_ step: String) throws -> String {
      try reader.step(yaml: step).relocated { "../\($0)" }.text()
    }
    #expect(try moved("declarations: there") == "      - declarations: \"../there\"\n")
    #expect(try moved("declarations: none") == "      - declarations: none\n")
    #expect(
      try moved("concurrently: [{ launch: mail }, { declarations: a }]")
        == "      - concurrently: [{ launch: mail }, { declarations: \"../a\" }]\n")
    #expect(
      try moved("concurrently: [{ paste: { app: mail }, expect: { verdict: blocked } }]")
        == "      - concurrently: [{ paste: { app: mail } }]\n")
  }
}

extension Action {
  /// Returns whether the actions are equal, ignoring positions and expectations of their steps.
  fileprivate func isSame(as other: Action) -> Bool {
    guard case .concurrently(let steps) = self, case .concurrently(let others) = other else {
      return self == other
    }
    return steps.steps.elementsEqual(others.steps) {
      $0.action == $1.action && $0.task == $1.task
    }
  }
}
