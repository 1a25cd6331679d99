internal import Foundation
internal import Scenario

/// The scenarios that come with Sluice.
package enum ShippedScenarios {
  /// Their folder: below `share` where `sluice` is installed in a `bin`, or beside `bin` in the sources.
  ///
  /// - Throws: ``RunError`` where there is none.
  package static func folder(for programs: String) throws(RunError) -> String {
    let root = (programs as NSString).deletingLastPathComponent
    let places = ["\(root)/share/sluice/scenarios", "\(root)/scenarios"]
    if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) {
      return found
    }
    throw RunError(
      "sluice: error: the scenarios that ship are neither in `\(places[0])` nor in `\(places[1])` [installation]",
      fault: .own)
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
