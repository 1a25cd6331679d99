internal import Foundation
internal import Host
public import Scenario

/// Runs scenarios, and reads what came of them from their journals alone.
public struct ScenarioRun: Sendable {
  let settings: RunSettings

  public init(_ settings: RunSettings) { self.settings = settings }

  /// The cases of a scenario, with everything that it names read.
  ///
  /// - Parameter isIncluded: which cases to run; nil for all.
  /// - Throws: ``RunError`` where the scenario names what cannot be read, or is for another device than the one that
  ///   lives on. Nothing has run then.
  public func prepare(
    _ scenario: Scenario, isIncluded: (Case) -> Bool = { _ in true }
  ) throws(RunError) -> PreparedScenario {
    if let device = settings.device { try check(device, for: scenario) }
    return PreparedScenario(
      blueprint: try Blueprint(scenario, programs: settings.programs),
      cases: scenario.cases.filter(isIncluded))
  }

  /// Runs one case, on a fresh device or the one that lives on.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up.
  public func run(
    _ test: Case, of prepared: PreparedScenario, number: Int
  ) throws(RunError) -> CaseRecording {
    let folder = settings.device ?? "\(settings.folder)/\(number)"
    return try CaseRun(test, of: prepared.blueprint, settings, folder: folder).run()
  }
}

/// A scenario that can be run.
public struct PreparedScenario: Sendable {
  let blueprint: Blueprint
  public let cases: [Case]

  public var file: String { blueprint.scenario.file }

  /// What the policies that it names say and probably do not mean, one sentence each with its place.
  public var warnings: [String] { blueprint.warnings }
}
