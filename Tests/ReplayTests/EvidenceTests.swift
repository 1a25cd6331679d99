import Activation
import Analysis
import Bundle
import FieldKit
import Model
import Policy
import Replay
import Scenario
import Simulation
import SimulationSupport
import TestSupport
import Testing
import UniformTypes

extension RealProcesses {
  /// Runs the public statements in `evidence`, and the statements in `evidence-open`, which do not hold here.
  @Suite struct EvidenceTests {
    /// A run's result.
    private struct Finding {
      var holds: Bool
      /// The program's answer, for messages.
      var answer: String
    }

    @Test(arguments: Evidence.files(in: "evidence"))
    func `each statement in the evidence folder holds`(file: String) throws {
      let evidence = try Evidence(file)
      let finding = try Self.run(evidence)
      #expect(finding.holds, "\(finding.answer)")
      #expect(evidence.statement.holds)
    }

    /// A statement that holds belongs in `evidence`.
    @Test(arguments: Evidence.files(in: "evidence-open"))
    func `each statement in evidence-open fails, and the program gives the recorded answer`(
      file: String
    ) throws {
      let evidence = try Evidence(file)
      let finding = try Self.run(evidence)
      #expect(!finding.holds)
      let program = try #require(evidence.statement.program)
      #expect(finding.answer.contains(program))
    }

    /// An observation holds if Sluice decides as observed; otherwise, the statement contains Sluice's answer.
    @Test(arguments: Experiment.all.map(\.name))
    func `a statement from a field kit form holds only if the engine's verdict was observed`(
      name: String
    ) throws {
      let experiment = try #require(Experiment.all.first { $0.name == name })
      for outcome in experiment.observations.map(\.outcome) {
        let form = try CompletedForm(
          """
          at: https://example.org/form
          title: A form
          date: 2026-12-01
          observations:
          - experiment: \(name)
            observed: \(outcome.rawValue)
          """, file: "form.yaml")
        let written = try #require(form.statements.first)
        let evidence = try Evidence(text: written.text, file: written.path)
        let finding = try Self.run(evidence)
        #expect(finding.holds == (outcome == experiment.verdict.outcome), "\(finding.answer)")
        #expect(evidence.statement.program.map(finding.answer.contains) != false)
        #expect(evidence.statement.rules == experiment.subjects)
      }
    }

    @Test(arguments: KitPolicy.all.map(\.name))
    func `a statement made from a log of the field kit's policy holds`(name: String) throws {
      let policy = try #require(KitPolicy.all.first { $0.name == name })
      let experiment = try #require(Experiment.all.first { $0.policy.name == name })
      let outcome = experiment.observations[0].outcome.rawValue
      let log = DeviceLog.text(of: policy.document.settings)
      let form = try CompletedForm(
        """
        at: https://example.org/form
        title: A form
        date: 2026-12-01
        observations:
        - experiment: \(experiment.name)
          observed: \(outcome)
        """, file: "form.yaml", logs: [DiagnosticLog(Array(log.utf8), file: "device.log")])
      let written = try #require(form.statements.last)
      let evidence = try Evidence(text: written.text, file: written.path)
      let finding = try Self.run(evidence)
      #expect(finding.holds, "\(finding.answer)")
      #expect(!evidence.statement.settings.isEmpty)
    }

    private static func run(_ evidence: Evidence) throws -> Finding {
      switch evidence.run {
      case .decide(let policies, let request, let expected):
        try decide(request, under: policies, expecting: expected)
      case .scenario(let text):
        try play(text)
      case .activation(let activation, let isOffered):
        try offer(activation, expecting: isOffered)
      case .log(let log, let policies):
        try compare(log, with: policies)
      }
    }

    private static func compare(_ log: String, with policies: String) throws -> Finding {
      let documents = try PolicyFiles.read(Array(policies.utf8), file: "policies.json")
      let comparison = try #require(
        LogComparison(of: EffectivePolicy.merging(documents), with: Array(log.utf8)))
      return Finding(
        holds: !comparison.hasDifferences, answer: comparison.text(logFile: "device.log"))
    }

    private static func decide(
      _ request: String, under policies: String, expecting expected: Evidence.Answer
    ) throws -> Finding {
      let documents = try PolicyFiles.read(Array(policies.utf8), file: "policies.json")
      var decider = Decider(documents)
      let verdict = try decider.decision(on: request, number: 1).verdict
      let rules = verdict.reasons.map(\.rule)
      let holds =
        verdict.outcome == expected.outcome
        && expected.reason.map(rules.contains) != false
        && expected.decidedBy.map { $0 == verdict.deciding } != false
      return Finding(
        holds: holds, answer: "\(verdict.outcome.rawValue) by \(verdict.deciding.rawValue)")
    }

    /// Plays a scenario as if its file were in `scenarios`.
    private static func play(_ text: String) throws -> Finding {
      let workspace = try Workspace()
      let file = try workspace.write(text, to: "scenarios/statement.yaml")
      for folder in ["examples", "plugins", "scenarios/criteria"] {
        try workspace.link(folder, to: Repository.path(folder))
      }
      let report = try Stage().play(file).report
      return Finding(holds: report.isPassed, answer: report.text())
    }

    private static func offer(
      _ activation: Evidence.Activation, expecting isOffered: Bool
    ) throws -> Finding {
      let workspace = try Workspace()
      let file = try workspace.write(activation.list, to: "Info.plist")
      let bundle = try AppBundle(at: file, settings: BuildSettings())
      let rule = try #require(bundle.info.appExtension?.activationRule)
      let items = activation.items.map { attachments in
        SharedItem(
          attachments: attachments.map { types in
            SharedAttachment(
              registeredTypeIdentifiers: activation.isRestricted
                ? types.map(IntuneTypeAlias.of) : types)
          })
      }
      let isMatch = rule.matches(items, types: TypeLibrary.system.adding(bundle.info.declaredTypes))
      return Finding(
        holds: isMatch == isOffered, answer: isMatch ? "offered" : "not offered")
    }
  }
}
