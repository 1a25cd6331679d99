import Encodings
import Foundation
import TestSupport
import Testing

@testable import Scenario

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

  @Test func `docs/scenarios.md lists every step`() throws {
    let list = Action.subjects.flatMap { subject in
      let words = subject.value.map { row in
        row.page.map { "[`\(row.word)`](\($0))" } ?? "`\(row.word)`"
      }
      return Document.item("**\(subject.key):** \(words.joined(separator: ", "))")
    }
    try Document.check("docs/scenarios.md") { text in
      try Document.replacing(list, madeOf: "Action.swift", in: text)
    }
  }

  /// Pages do not repeat the schema. It therefore describes every key, or the key's value.
  @Test func `every key of the scenario schema has a description`() throws {
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
