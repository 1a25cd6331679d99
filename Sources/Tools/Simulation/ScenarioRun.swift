internal import Diagnostics
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
    if let device = settings.device {
      guard scenario.devices.isEmpty else {
        throw RunError(
          .file(scenario.file), "the scenario has several `devices`, and `\(device)` is one",
          rule: "device")
      }
      try check(device, for: scenario)
    }
    var members: [Blueprint] = []
    for device in scenario.devices {
      members.append(try Blueprint(device, programs: settings.programs))
    }
    return PreparedScenario(
      blueprint: try Blueprint(scenario, programs: settings.programs), members: members,
      cases: scenario.cases.filter(isIncluded))
  }

  /// What each case of a scenario needs and this installation lacks, in a clause, in the order of the cases; nil: the
  /// installation lacks nothing, so the case can run.
  public func lacks(ofCasesIn scenario: Scenario) -> [String?] {
    settings.programs.lacks(ofCasesIn: scenario)
  }

  /// Runs one case, on a fresh device or the device that lives on.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up, or stops by itself, or its journal cannot be read.
  public func run(
    _ test: Case, of prepared: PreparedScenario, number: Int
  ) throws(RunError) -> CaseRecording {
    let folder = settings.device ?? "\(settings.folder)/\(number)"
    return try CaseRun(test, of: prepared.devices, settings, folder: folder).run()
  }

  /// Runs one case on a fresh device of which nothing is left then.
  ///
  /// - Throws: ``RunError`` where the device cannot be brought up, or stops by itself, or its journal cannot be read.
  func runAndForget(_ test: Case, of prepared: PreparedScenario) throws(RunError) -> CaseRecording {
    let folder = "\(settings.folder)/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try CaseRun(test, of: prepared.devices, settings, folder: folder).run()
  }
}

/// A scenario that can be run.
public struct PreparedScenario: Sendable {
  private let blueprint: Blueprint
  /// One of each of several devices; empty: there is one, that of ``blueprint``.
  private let members: [Blueprint]
  public let cases: [Case]

  init(blueprint: Blueprint, members: [Blueprint] = [], cases: [Case]) {
    self.blueprint = blueprint
    self.members = members
    self.cases = cases
  }

  /// One of each device, at least one.
  var devices: [Blueprint] { members.isEmpty ? [blueprint] : members }

  /// The names of the devices, in the order of the file.
  package var deviceNames: [String] { devices.map(\.scenario.device.name) }

  /// The numbers of a case's steps of which a device carries out several parts at once.
  func unorderedSteps(of test: Case) -> Set<Int> {
    let numbered = test.steps.enumerated().filter { _, step in
      if case .concurrently(let concurrency) = step.action { return concurrency.steps.count > 1 }
      return devices.contains { $0.scenario.expand(step).count > 1 }
    }
    return Set(numbered.map { $0.offset + 1 })
  }

  /// The blueprint of the only device.
  ///
  /// - Throws: ``RunError`` where there are several.
  var onlyDevice: Blueprint {
    get throws(RunError) {
      guard members.isEmpty else {
        throw RunError(
          .file(file),
          "the scenario has \(members.count) `devices`, and this command takes one device; `sluice run` takes several",
          rule: "devices")
      }
      return blueprint
    }
  }

  public var scenario: Scenario { blueprint.scenario }
  public var file: String { scenario.file }

  /// The settings that the scenario's policies state.
  public var statedSettings: Set<Setting> {
    Set(blueprint.policies.flatMap(\.document.origins.keys))
  }

  /// What was not read of the scenario's policies; nil where they have no assignments that only the directory can judge.
  package var notice: String? { blueprint.notice }

  /// The statements of the scenario's files that are probably not meant, one sentence each with its place.
  public var warnings: [String] { blueprint.warnings }
}
