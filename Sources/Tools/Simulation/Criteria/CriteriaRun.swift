internal import Diagnostics
internal import Scenario

/// Runs the cases that show whether criteria hold.
package struct CriteriaRun: Sendable {
  private let settings: RunSettings
  package let criteria: [Criterion]
  /// The app under test; nil: the scenarios' own apps.
  private let app: OwnApp?
  /// The number of steps of the walk for SWITCH-1.
  private static let walkLength = 500

  /// Selects the criteria to run.
  ///
  /// - Parameters:
  ///   - ids: the ids of the criteria to run; empty: all.
  ///   - app: the app that stands in the place of the app under test; nil: the scenarios' own apps.
  /// - Throws: ``RunError`` where no criterion has one of the ids.
  package init(
    _ settings: RunSettings, only ids: [String] = [], app: OwnApp? = nil
  ) throws(RunError) {
    for id in ids where !Criterion.all.contains(where: { $0.isCalled(id) }) {
      let known = Criterion.all.map(\.id)
      let hint = NearestWord.to(id, among: known).map { Suggestion.text($0) }
      throw RunError(
        .command,
        "no criterion is called `\(id)`"
          + (hint ?? "; there are \(known.joined(separator: ", "))"), rule: "only")
    }
    self.settings = settings
    criteria = Criterion.all.filter { criterion in
      ids.isEmpty || ids.contains(where: criterion.isCalled)
    }
    self.app = app
  }

  /// The checks to do, in the order of the criteria.
  ///
  /// - Parameter folder: the folder of the scenarios.
  /// - Throws: ``RunError`` where a scenario cannot be read.
  package func jobs(scenariosIn folder: String) throws(RunError) -> [CriterionJob] {
    let scenarios = try ShippedScenarios.withCriteria(in: folder)
    return criteria.flatMap { criterion in
      let all =
        app.map { kinds(for: criterion, scenarios, of: $0) } ?? kinds(for: criterion, scenarios)
      return all.map { CriterionJob(criterion, $0) }
    }
  }

  /// Does a check.
  ///
  /// - Parameter number: the number of the job, from 0.
  /// - Throws: ``RunError`` where a device does not come up.
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
    let faults = app.faults(for: criterion).map(CriterionJob.Kind.fault)
    if !app.usesSDK, criterion.stage != .managedApp {
      return faults + [.misfit("any of its cases: they are for apps with the SDK")]
    }
    if criterion.need == .ownApps {
      return faults + [.misfit("it brings three apps of its own")]
    }
    if criterion.isAboutOwnDocuments {
      let why = "what the administrator provides in it is for the scenario's own app"
      return faults + [.misfit(why)]
    }
    return faults
      + scenarios.flatMap { scenario in
        scenario.cases(for: criterion).flatMap { test in
          app.attempts(at: test, of: scenario, for: criterion)
        }
      }
  }
}

extension Criterion {
  /// Whether the criterion's configurations or declarations name the app under test, by bundle id and team.
  fileprivate var isAboutOwnDocuments: Bool { stage == .managedApp || id == "CONFIG-1" }

  fileprivate func isCalled(_ id: String) -> Bool { self.id == id.uppercased() }
}

extension Scenario {
  fileprivate func cases(for criterion: Criterion) -> [Case] {
    cases.filter { $0.criterion == criterion.id }
  }
}
