internal import Foundation
internal import Scenario

/// The scenarios that ship with Sluice.
package enum ShippedScenarios {
  /// The folder of the scenarios.
  ///
  /// - Throws: ``RunError`` where there is no such folder.
  package static func folder(for programs: String) throws(RunError) -> String {
    try Installation(programs: programs).folder("scenarios")
  }

  /// The scenarios in a folder that have cases for criteria.
  ///
  /// - Throws: ``RunError`` where a scenario cannot be read.
  static func withCriteria(in folder: String) throws(RunError) -> [Scenario] {
    var scenarios: [Scenario] = []
    for file in try ScenarioFiles.files(in: folder) {
      // Most scenarios have no such cases, and are long.
      guard try InputFile.text(file).contains("criterion:") else { continue }
      let scenario = try ScenarioFiles.read(file)
      if scenario.cases.contains(where: { $0.criterion != nil }) { scenarios.append(scenario) }
    }
    return scenarios
  }
}
