internal import Foundation
internal import Scenario

/// The scenarios that come with Sluice.
package enum ShippedScenarios {
  /// - Throws: ``RunError`` where there is none.
  package static func folder(for programs: String) throws(RunError) -> String {
    try ShippedFiles.folder("scenarios", for: programs)
  }

  /// Those that have cases for criteria.
  ///
  /// - Throws: ``RunError`` where one cannot be read.
  static func withCriteria(in folder: String) throws(RunError) -> [Scenario] {
    var scenarios: [Scenario] = []
    for file in try ScenarioFiles.files(in: folder) {
      // Most have none, and are long.
      guard try InputFile.text(file).contains("criterion:") else { continue }
      let scenario = try ScenarioFiles.read(file)
      if scenario.cases.contains(where: { $0.criterion != nil }) { scenarios.append(scenario) }
    }
    return scenarios
  }
}
