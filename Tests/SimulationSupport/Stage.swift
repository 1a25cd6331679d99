internal import Foundation
package import Scenario
internal import Simulation
internal import TestSupport

/// The results of a scenario.
package struct StageResult {
  /// The journal of each case, as text.
  package var journals: [String] = []
  package var report: Report

  /// The result of the only case.
  package var result: CaseResult { report.suites[0].cases[0] }
}

/// Runs scenarios on real processes, each time on devices in a new folder.
package struct Stage {
  private let workspace: Workspace
  package var seed: UInt64?
  /// The limit for a step in milliseconds of real time; nil for the default.
  package var stepLimit: UInt64?

  package init() throws { workspace = try Workspace() }

  /// Runs a scenario.
  ///
  /// - Parameter file: The path of a scenario file.
  package func play(_ file: String) throws -> StageResult {
    try play(ScenarioFiles.read(file))
  }

  /// Runs a scenario.
  ///
  /// - Parameter text: The contents of a scenario file.
  package func play(text: String) throws -> StageResult {
    try play(workspace.write(text, to: "scenario.yaml"))
  }

  private func play(_ scenario: Scenario) throws -> StageResult {
    let folder = workspace.path(UUID().uuidString)
    var settings = RunSettings(
      programs: .installed(in: Repository.programs), folder: folder)
    settings.seed = seed
    if let stepLimit { settings.stepLimit = stepLimit }
    let runner = ScenarioRun(settings)
    let prepared = try runner.prepare(scenario)
    var builder = ReportBuilder()
    var journals: [String] = []
    for (index, test) in prepared.cases.enumerated() {
      builder.add(try runner.run(test, of: prepared, number: index + 1), file: prepared.file)
      let devices = scenario.devices.map { "/\($0.device.name)" }
      for device in devices.isEmpty ? [""] : devices {
        journals.append(try InputFile.text("\(folder)/\(index + 1)\(device)/journal.jsonl"))
      }
    }
    return StageResult(journals: journals, report: builder.report)
  }
}
