import Foundation
import JSON
import TestSupport
import Testing

@testable import Simulation

/// Documents are held against the table of methods.
struct ControlMethodTests {
  private static let names = ControlMethod.allCases.map(\.rawValue)

  private static func read(_ path: String) throws -> String {
    try String(contentsOfFile: Repository.path(path), encoding: .utf8)
  }

  @Test func `the schema has the answer of every method, and of no other`() throws {
    let schema = try JSONReader.read(Self.read("docs/schema/control.schema.json"))
    let answers = schema["$defs"]?["answer"]?["properties"]?["result"]?["anyOf"]?.array ?? []
    let references = answers.compactMap { $0["$ref"]?.string }
    #expect(references.sorted() == Self.names.map { "#/$defs/\($0)" }.sorted())
    for name in Self.names { #expect(schema["$defs"]?[name] != nil, "\(name)") }
  }

  @Test func `the schema has the notifications of those that can be followed`() throws {
    let schema = try JSONReader.read(Self.read("docs/schema/control.schema.json"))
    let names = schema["$defs"]?["notification"]?["properties"]?["method"]?["enum"]?.array ?? []
    #expect(
      Set(names.compactMap(\.string))
        == Set(ControlMethod.allCases.filter(\.row.isFollowed).map(\.rawValue)))
  }

  @Test func `the protocol's table has a row of each, with its parameters`() throws {
    let rows = try Self.read("docs/running-device.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|").map(String.init) }
    for method in ControlMethod.allCases where method != .step {
      let row = try #require(
        rows.first { $0.count == 3 && $0[0].contains("`\(method.rawValue)`") }, "\(method)")
      let inherits = row[1].contains("as of `journal`")
      if method.row.parameters.isEmpty { #expect(row[1] == " none ", "\(method)") }
      for name in method.row.parameters {
        #expect(row[1].contains("`\(name)`") || inherits, "\(method) \(name)")
      }
    }
  }

  @Test func `what takes no parameters says so, and what takes some knows no others`() throws {
    for method in ControlMethod.allCases {
      #expect(!method.row.text.isEmpty && method.row.text.first?.isUppercase == false)
      #expect(Set(method.row.parameters).count == method.row.parameters.count)
    }
    #expect(ControlMethod.journal.row.parameters == ControlMethod.events.row.parameters)
  }

  /// A word of a step would never be heard.
  @Test func `no step has the name of a method`() throws {
    let schema = try JSONReader.read(Self.read("docs/schema/scenario.schema.json"))
    let steps = schema["$defs"]?["step"]?["properties"]?.members?.map(\.name) ?? []
    #expect(steps.count > 50)
    #expect(Set(steps).isDisjoint(with: Self.names))
  }
}
