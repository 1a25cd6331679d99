import Encodings
import Foundation
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

  @Test func `every step is listed`() throws {
    let text = try Repository.read("docs/scenarios.md")
    let schema = try JSONReader.read(Repository.read("docs/schema/scenario.schema.json"))
    let step = try #require(schema["$defs"]?["step"]?["properties"]?.members)
    for key in step { #expect(text.contains("`\(key.name)`"), "\(key.name)") }
  }

  /// Pages do not repeat the schema. It therefore describes every key, or the key's value.
  @Test func `every key is described in the schema`() throws {
    let schema = try JSONReader.read(Repository.read("docs/schema/scenario.schema.json"))
    let definitions = try #require(schema["$defs"]?.members)
    for definition in definitions.map({ ($0.name, $0.value) }) + [("", schema)] {
      for key in definition.1["properties"]?.members ?? [] {
        let name = key.value["$ref"]?.string?.split(separator: "/").last.map(String.init)
        let value = name.flatMap { schema["$defs"]?[$0] }
        let text = (key.value["description"] ?? value?["description"])?.string ?? ""
        #expect(!text.isEmpty, "\(definition.0).\(key.name)")
      }
    }
  }
}
