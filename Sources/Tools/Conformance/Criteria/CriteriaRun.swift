internal import Foundation
internal import Output
package import Scenario
package import Simulation

package struct CriteriaRun: Sendable {
  private let settings: RunSettings
  package let criteria: [Criterion]
  /// The app under test; nil for the scenarios' own apps.
  private let app: OwnApp?
  /// The number of steps in the walk for SWITCH-1.
  private static let walkLength = 500

  /// Selects the criteria to run.
  ///
  /// - Parameters:
  ///   - ids: The ids of the criteria to run; empty for all.
  ///   - app: The user's app, which replaces the app under test of the scenarios; nil for the scenarios' own apps.
  /// - Throws: ``RunError`` if an id is unknown.
  package init(
    _ settings: RunSettings, only ids: [String] = [], app: OwnApp? = nil
  ) throws(RunError) {
    for id in ids where !Criterion.all.contains(where: { $0.isCalled(id) }) {
      let known = Criterion.all.map(\.id)
      let hint = Suggestion.word(for: id, among: known).map { Suggestion.text($0) }
      throw RunError(
        .command,
        "no criterion is called `\(id)`"
          + (hint ?? "; the criteria are \(known.joined(separator: ", "))"), rule: "only")
    }
    self.settings = settings
    criteria = Criterion.all.filter { criterion in
      ids.isEmpty || ids.contains(where: criterion.isCalled)
    }
    self.app = app
  }

  /// Returns the checks to perform, in the order of the criteria.
  ///
  /// - Throws: ``RunError`` if a scenario cannot be read.
  package func jobs(scenariosIn folder: String) throws(RunError) -> [CriterionJob] {
    let scenarios = try ShippedScenarios.withCriteria(in: folder)
    return criteria.flatMap { criterion in
      let all =
        app.map { kinds(for: criterion, scenarios, of: $0) } ?? kinds(for: criterion, scenarios)
      return all.map { CriterionJob(criterion, $0) }
    }
  }

  /// Performs the job and returns its result.
  ///
  /// - Parameter number: The number of the job, from 0.
  package func perform(
    _ job: CriterionJob, number: Int
  ) throws(RunError) -> CriteriaCertificate.Check {
    try job.perform(settings, number: number)
  }

  private func kinds(
    for criterion: Criterion, _ scenarios: [Scenario]
  ) -> [CriterionJob.Kind] {
    if criterion.need == .ownApps { return [.walk(steps: Self.walkLength)] }
    return scenarios.flatMap { scenario in
      scenario.cases(for: criterion).map { test -> CriterionJob.Kind in
        var scenario = scenario
        scenario.cases = [test]
        if let lack = settings.programs.lacks(ofCasesIn: scenario)[0] { return .misfit(lack) }
        return .run(scenario, nil)
      }
    }
  }

  private func kinds(
    for criterion: Criterion, _ scenarios: [Scenario], of app: OwnApp
  ) -> [CriterionJob.Kind] {
    let defects = app.defects(for: criterion).map(CriterionJob.Kind.defect)
    if !app.usesSDK, criterion.stage != .managedApp {
      return defects + [.misfit("all cases, because they need an app with the SDK")]
    }
    if criterion.need == .ownApps {
      return defects + [.misfit("the criterion uses three apps of its own")]
    }
    if criterion.isAboutOwnDocuments {
      let why = "the criterion uses configurations or declarations for an app of its own"
      return defects + [.misfit(why)]
    }
    return defects
      + scenarios.flatMap { scenario in
        scenario.cases(for: criterion).flatMap { test in
          app.attempts(at: test, of: scenario, for: criterion)
        }
      }
  }
}

extension Criterion {
  /// Whether the criterion's cases have configurations or declarations that identify the app under test by bundle id
  /// and team.
  fileprivate var isAboutOwnDocuments: Bool { stage == .managedApp || id == "CONFIG-1" }

  fileprivate func isCalled(_ id: String) -> Bool { self.id == id.uppercased() }
}

extension Scenario {
  fileprivate func cases(for criterion: Criterion) -> [Case] {
    cases.filter { $0.criterion == criterion.id }
  }
}

// MARK: - Jobs

package struct CriterionJob: Sendable {
  package let criterion: Criterion
  private let kind: Kind

  enum Kind: Sendable {
    /// A run of the scenario's only case.
    case run(Scenario, ResolvedScenario.Alias?)
    case walk(steps: Int)
    /// No run, because the case does not fit the app. The associated value is the reason.
    case misfit(String)
    /// No run, because the app has a defect that is evident without a run. The associated value is the defect, as a
    /// sentence.
    case defect(String)
  }

  init(_ criterion: Criterion, _ kind: Kind) {
    self.criterion = criterion
    self.kind = kind
  }

  package var scenario: Scenario? { if case .run(let scenario, _) = kind { scenario } else { nil } }

  /// The title of the check in certificates; empty if nothing is checked.
  package var title: String {
    switch kind {
    case .run(let scenario, _): scenario.cases[0].name
    case .walk(let steps): "a random walk of \(steps) steps"
    case .misfit: ""
    case .defect: "the bundle"
    }
  }

  /// The size of the job, in steps.
  package var size: Int {
    switch kind {
    case .run(let scenario, _): scenario.cases.reduce(0) { $0 + $1.steps.count }
    case .walk(let steps): steps
    case .misfit, .defect: 0
    }
  }

  fileprivate func perform(
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
    case .defect(let sentence):
      return CriteriaCertificate.Check(.defect(sentence), duration: .zero)
    }
  }

  private func run(
    _ scenario: Scenario, _ alias: ResolvedScenario.Alias?, _ settings: RunSettings, _ number: Int
  ) throws(RunError) -> CaseRecording {
    let resolved = try ResolvedScenario(scenario, programs: settings.programs, alias: alias)
    let prepared = PreparedScenario(resolved: resolved, cases: scenario.cases)
    return try ScenarioRun(settings).run(prepared.cases[0], of: prepared, number: number + 1)
  }
}

// MARK: - Scenarios

package enum ShippedScenarios {
  package static func folder(for programs: String) throws(RunError) -> String {
    try Installation(programs: programs).folder("scenarios")
  }

  /// Returns the scenarios in a folder that have cases for criteria.
  ///
  /// - Throws: ``RunError`` if a scenario cannot be read.
  package static func withCriteria(in folder: String) throws(RunError) -> [Scenario] {
    var scenarios: [Scenario] = []
    for file in try ScenarioFiles.files(in: folder) {
      // Parsing is skipped where possible, because most scenarios are long and have no such cases.
      guard try InputFile.text(file).contains("criterion:") else { continue }
      let scenario = try ScenarioFiles.read(file)
      if scenario.cases.contains(where: { $0.criterion != nil }) { scenarios.append(scenario) }
    }
    return scenarios
  }
}
