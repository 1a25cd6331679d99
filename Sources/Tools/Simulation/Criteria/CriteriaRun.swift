internal import Diagnostics
internal import Foundation
internal import Scenario

/// Runs the cases that show whether criteria hold, several devices at a time, each on a thread of its own.
package struct CriteriaRun {
  private let settings: RunSettings
  private let criteria: [Criterion]
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

  /// Runs the cases for all selected criteria.
  ///
  /// - Parameter folder: the folder of the scenarios.
  /// - Throws: ``RunError`` where a scenario cannot be read, or a device does not come up.
  package func run(scenariosIn folder: String) throws(RunError) -> CriteriaCertificate {
    let start = ContinuousClock.now
    let jobs = jobs(try ShippedScenarios.withCriteria(in: folder))
    // Two for each core: a device waits for its guests half of the time. The longest begins first.
    let crew = Crew(of: 2 * ProcessInfo.processInfo.activeProcessorCount)
    let order = jobs.indices.sorted { (jobs[$1].size, $0) < (jobs[$0].size, $1) }
    let results = try crew.perform(jobs, beginning: order) {
      [settings] number, job throws(RunError) in
      try job.perform(settings, number: number)
    }
    var entries = criteria.map { CriteriaCertificate.Entry($0, isForStandIn: app != nil) }
    for (job, result) in zip(jobs, results) {
      guard let index = entries.firstIndex(where: { $0.criterion.id == job.criterion.id }) else {
        continue
      }
      entries[index].checks.append(result)
    }
    return CriteriaCertificate(
      entries: entries, bundle: app?.identifier, duration: ContinuousClock.now - start)
  }

  /// The jobs to do, in the order of the criteria.
  private func jobs(_ scenarios: [Scenario]) -> [CriterionJob] {
    criteria.flatMap { criterion in
      let all =
        app.map { kinds(for: criterion, scenarios, of: $0) } ?? kinds(for: criterion, scenarios)
      return all.map { CriterionJob(criterion, $0) }
    }
  }

  private func kinds(
    for criterion: Criterion, _ scenarios: [Scenario]
  ) -> [CriterionJob.Kind] {
    if criterion.need == .ownApps { return [.walk(steps: Self.walkLength)] }
    return scenarios.flatMap { scenario in
      scenario.cases(for: criterion).map { test -> CriterionJob.Kind in
        guard scenario.servers.isEmpty || settings.programs.hasServer else {
          return .misfit("`sluice-server` is not there; `make tls` builds it")
        }
        var scenario = scenario
        scenario.cases = [test]
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
