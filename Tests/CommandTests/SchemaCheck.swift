import Foundation
import JSON
import TestSupport

/// One of the schemas of `docs/schema`, held against what a command prints: types, words, members, and elements of lists.
struct SchemaCheck {
  private let schema: JSONValue

  /// - Parameter name: the name of the file, without its endings.
  init(_ name: String) throws {
    let path = Repository.path("docs/schema/\(name).schema.json")
    schema = try JSONReader.read(String(contentsOfFile: path, encoding: .utf8))
  }

  /// What is wrong in a document, each with its place.
  func problems(in document: String) throws -> [String] {
    problems(try JSONReader.read(document), schema, at: "$")
  }

  private func problems(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      guard let definition = self.schema["$defs"]?[String(name)] else { return ["\(name): none"] }
      return problems(value, definition, at: place)
    }
    var problems: [String] = []
    let types =
      schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string ?? value.type]
    if !types.contains(value.type) { problems.append("\(place): \(value.type), not \(types)") }
    if let words = schema["enum"]?.array, !words.contains(where: { $0.string == value.string }) {
      problems.append("\(place): \(value.string ?? value.type)")
    }
    for name in schema["required"]?.array?.compactMap(\.string) ?? [] where value[name] == nil {
      problems.append("\(place).\(name): missing")
    }
    for member in value.members ?? [] {
      let inner = "\(place).\(member.name)"
      if let known = schema["properties"]?[member.name] {
        problems += self.problems(member.value, known, at: inner)
      } else if let others = schema["additionalProperties"] {
        problems +=
          others.bool == false
          ? ["\(inner): unknown"] : self.problems(member.value, others, at: inner)
      }
    }
    guard let items = schema["items"] else { return problems }
    for (index, element) in (value.array ?? []).enumerated() {
      problems += self.problems(element, items, at: "\(place)[\(index)]")
    }
    return problems
  }
}

extension JSONValue {
  /// The type as schemas call it.
  fileprivate var type: String {
    switch kind {
    case .null: "null"
    case .bool: "boolean"
    case .number(let text): Int(text) == nil ? "number" : "integer"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
