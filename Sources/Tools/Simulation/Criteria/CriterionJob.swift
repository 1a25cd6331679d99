internal import Foundation
package import Scenario

/// One check of whether a criterion holds.
package struct CriterionJob: Sendable {
  package let criterion: Criterion
  private let kind: Kind

  enum Kind: Sendable {
    /// A run of the only case of the scenario.
    case run(Scenario, Blueprint.Alias?)
    case walk(steps: Int)
    /// No run, because the case does not fit the app; with the reason.
    case misfit(String)
    /// No run, because a fault of the app shows without one; with the fault as a sentence.
    case fault(String)
  }

  init(_ criterion: Criterion, _ kind: Kind) {
    self.criterion = criterion
    self.kind = kind
  }

  /// The scenario of the case; nil where none is run.
  package var scenario: Scenario? { if case .run(let scenario, _) = kind { scenario } else { nil } }

  /// The name of the check, as certificates have it; empty where nothing is checked.
  package var title: String {
    switch kind {
    case .run(let scenario, _): scenario.cases[0].name
    case .walk(let steps): "a random walk of \(steps) steps"
    case .misfit: ""
    case .fault: "the bundle"
    }
  }

  /// The size of the job, in steps.
  package var size: Int {
    switch kind {
    case .run(let scenario, _): scenario.cases.reduce(0) { $0 + $1.steps.count }
    case .walk(let steps): steps
    case .misfit, .fault: 0
    }
  }

  func perform(
    _ settings: RunSettings, number: Int
  ) throws(RunError) -> CriteriaCertificate.Check {
    let start = ContinuousClock.now
    switch kind {
    case .run(let scenario, let alias):
      let recording = try run(scenario, alias, settings, number)
      return CriteriaCertificate.Check(
        .ran(recording, of: scenario.file), duration: ContinuousClock.now - start)
    case .walk(let steps):
      let report = try Walk(settings, seed: 1, steps: steps).run()
      return CriteriaCertificate.Check(.walked(report), duration: ContinuousClock.now - start)
    case .misfit(let why): return CriteriaCertificate.Check(.misfit(why), duration: .zero)
    case .fault(let sentence):
      return CriteriaCertificate.Check(.fault(sentence), duration: .zero)
    }
  }

  private func run(
    _ scenario: Scenario, _ alias: Blueprint.Alias?, _ settings: RunSettings, _ number: Int
  ) throws(RunError) -> CaseRecording {
    let blueprint = try Blueprint(scenario, programs: settings.programs, alias: alias)
    let prepared = PreparedScenario(blueprint: blueprint, cases: scenario.cases)
    return try ScenarioRun(settings).run(prepared.cases[0], of: prepared, number: number + 1)
  }
}
