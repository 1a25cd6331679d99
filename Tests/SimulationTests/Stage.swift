import Foundation
import Host
import Scenario
import Simulation
import TestSupport
import Testing

/// Tests that start processes.
@Suite(.ownThreads) struct RealProcesses {}

/// The results of a scenario.
struct StageResult {
  /// The journal of each case, as text.
  var journals: [String] = []
  var report: Report

  /// The result of the only case.
  var result: CaseResult { report.suites[0].cases[0] }
}

/// Runs scenarios on real processes, each time on devices in a new folder.
struct Stage {
  private let workspace: Workspace
  var seed: UInt64?
  /// Milliseconds of real time; nil for the default.
  var stepLimit: UInt64?

  init() throws { workspace = try Workspace() }

  /// - Parameter file: The path of a scenario file.
  func play(_ file: String) throws -> StageResult {
    try play(ScenarioFiles.read(file))
  }

  /// - Parameter text: The contents of a scenario file.
  func play(text: String) throws -> StageResult {
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

/// Steps that succeed, one per line, and the fact that they show.
struct Steps: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let lines: [String]

  init(_ fact: String, _ lines: String...) {
    testDescription = fact
    self.lines = lines
  }

  /// The lines as in a scenario.
  var text: String { lines.map { "  - \($0)\n" }.joined() }
}

/// Expects that a case passes.
func expectPass(_ result: StageResult, _ location: SourceLocation = #_sourceLocation) {
  #expect(
    result.report.isPassed && result.result.outcome == .passed,
    "\(result.report.text())", sourceLocation: location)
}

extension Stage {
  /// Runs steps, one per line, on a device with the managed app `mail`, the unmanaged apps `viewer`
  /// and `other`, and an app whose program does not exist.
  static func play(_ steps: String...) throws -> StageResult { try play(steps) }

  /// Runs steps, one per line, on the same device.
  static func play(_ steps: [String]) throws -> StageResult {
    try Stage().play(text: device + steps.map { "  - \($0)\n" }.joined())
  }

  private static let device = """
    name: Stage
    accounts:
      anna: { upn: anna@contoso.com, tenant: contoso.com }
      private: { upn: anna@example.org }
    policies:
      base:
        json:
          displayName: Base
          allowedOutboundDataTransferDestinations: managedApps
        assign: [{ account: anna, apps: [com.contoso.mail] }]
    apps:
      mail:
        bundle: com.contoso.mail
        sdk: true
        multiIdentity: true
        signedIn: [anna, private]
        keychainGroups: [TEAMMAIL.com.contoso.mail]
      viewer: { bundle: org.example.viewer, provides: Holiday photo }
      other: { bundle: org.example.other }
      ghost: { bundle: org.example.ghost, executable: ./nothing }
      text: { bundle: org.example.text, executable: ./scenario.yaml }
      quitter: { bundle: org.example.quitter, executable: /bin/false }
    steps:

    """
}
