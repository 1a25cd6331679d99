import Foundation
import Scenario
import TestSupport
import Testing

@testable import Simulation

/// Worlds of scenarios, in another folder.
@Suite struct WorldTextTests {
  @Test(arguments: Repository.scenarios)
  func `a world elsewhere names the same files, and says all else as before`(file: String) throws {
    let text = try String(contentsOfFile: Repository.path(file), encoding: .utf8)
    let scenario = try Scenario.read(text, file: file)
    let world = try WorldText(text, of: scenario).relocated(scenario) { "there/\($0)" }
    let again = try Scenario.read(
      world.lines + "steps: [{ wait: idle }]\n", file: file)
    var old = scenario
    old.cases = []
    #expect(again.namedFiles == old.namedFiles.map { "there/\($0)" })
    #expect(again.accounts == scenario.accounts)
  }
}
