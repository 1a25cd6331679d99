internal import Foundation
internal import Host
public import Model
internal import Policy
public import Scenario

/// Runs scenarios, and reads their outcomes from their journals alone.
public struct ScenarioRun: Sendable {
  let settings: RunSettings

  /// Creates a run with these settings.
  public init(_ settings: RunSettings) { self.settings = settings }

  /// Reads all files that a scenario names, and selects its cases.
  ///
  /// - Parameter isIncluded: whether a case is to run; all cases run without it.
  /// - Throws: ``RunError`` where the scenario names a file that cannot be read, or is for another device than the one
  ///   that lives on. Nothing has run then.
  public func prepare(
    _ scenario: Scenario, isIncluded: (Case) -> Bool = { _ in true }
  ) throws(RunError) -> PreparedScenario {
    if let device = settings.device { try check(device, for: scenario) }
    return PreparedScenario(
      blueprint: try Blueprint(scenario, programs: settings.programs),
      cases: scenario.cases.filter(isIncluded))
  }

  /// Runs one case, on a fresh device or the device that lives on.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up, or stops by itself, or its journal cannot be read.
  public func run(
    _ test: Case, of prepared: PreparedScenario, number: Int
  ) throws(RunError) -> CaseRecording {
    let folder = settings.device ?? "\(settings.folder)/\(number)"
    return try CaseRun(test, of: prepared.blueprint, settings, folder: folder).run()
  }

  /// Runs one case on a fresh device of which nothing is left then.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up, or stops by itself, or its journal cannot be read.
  func runAndForget(_ test: Case, of prepared: PreparedScenario) throws(RunError) -> CaseRecording {
    let folder = "\(settings.folder)/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try CaseRun(test, of: prepared.blueprint, settings, folder: folder).run()
  }
}

/// A scenario that can be run.
public struct PreparedScenario: Sendable {
  let blueprint: Blueprint
  public let cases: [Case]

  public var scenario: Scenario { blueprint.scenario }
  public var file: String { scenario.file }

  /// The settings that the scenario's policies state.
  public var statedSettings: Set<Setting> {
    Set(blueprint.policies.flatMap(\.document.origins.keys))
  }

  /// The statements of the scenario's files that are probably not meant, one sentence each with its place.
  public var warnings: [String] { blueprint.warnings }
}
