import Foundation
import JSON
import Scenario
import TestSupport
import Testing

/// The examples in `docs/scenarios.md` are scenarios.
@Suite struct DocumentedScenarioTests {
  @Test func `documented steps are valid`() throws {
    let blocks = try Repository.read("docs/scenarios.md").components(separatedBy: "```")
    let examples = blocks.filter { $0.hasPrefix("yaml\n") }.map { String($0.dropFirst(5)) }
    #expect(!examples.isEmpty)
    for example in examples {
      #expect(throws: Never.self) { try Scenario.read(example, file: "docs/scenarios.md") }
    }
  }

  @Test func `every key is documented`() throws {
    let text = try Repository.read("docs/scenarios.md")
    let schema = try JSONReader.read(Repository.read("docs/schema/scenario.schema.json"))
    for definition in try #require(schema["$defs"]?.members) {
      for key in definition.value["properties"]?.members ?? [] {
        #expect(text.contains("\(key.name)"), "\(definition.name).\(key.name)")
      }
    }
  }
}
