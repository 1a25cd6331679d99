import Encodings
import TestSupport

/// A check of command output against a schema in `docs/schema`. It covers types, enumerations,
/// members and list elements. A member that is not in the schema is a problem, even if the schema
/// permits it.
struct SchemaCheck {
  private let schema: JSONValue

  /// Reads a schema.
  ///
  /// - Parameter name: The name of its file, without extensions.
  init(_ name: String) throws {
    schema = try JSONReader.read(Repository.read("docs/schema/\(name).schema.json"))
  }

  /// Returns the problems in a document, each with its position.
  func problems(in document: String) throws -> [String] {
    problems(try JSONReader.read(document), schema, at: "$")
  }

  /// Returns the problems in a value according to one of the schema's definitions.
  func problems(
    in value: JSONValue?, as definition: String, at place: String? = nil
  ) -> [String] {
    guard let value, let schema = schema["$defs"]?[definition] else {
      return ["\(definition): none"]
    }
    return problems(value, schema, at: place ?? definition)
  }

  private func problems(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    if let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last {
      if let file = reference.firstRange(of: ".schema.json#/$defs/") {
        let other = try? SchemaCheck(String(reference[..<file.lowerBound]))
        return other?.problems(in: value, as: String(name), at: place) ?? ["\(reference): none"]
      }
      if reference.hasSuffix(".schema.json") {
        let other = try? SchemaCheck(String(reference.dropLast(".schema.json".count)))
        return other.map { $0.problems(value, $0.schema, at: place) } ?? ["\(reference): none"]
      }
      guard let definition = self.schema["$defs"]?[String(name)] else { return ["\(name): none"] }
      return problems(value, definition, at: place)
    }
    var problems: [String] = []
    let types =
      schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string ?? value.type]
    if !types.contains(value.type), value.type != "integer" || !types.contains("number") {
      problems.append("\(place): \(value.type), not \(types)")
    }
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
      } else if let others = schema["additionalProperties"], others.bool == nil {
        problems += self.problems(member.value, others, at: inner)
      } else if schema["properties"] != nil || schema["additionalProperties"]?.bool == false {
        problems.append("\(inner): unknown")
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
  /// The name of the value's type in schemas.
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
