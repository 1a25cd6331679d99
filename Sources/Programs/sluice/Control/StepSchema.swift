internal import Foundation
internal import Host
internal import JSON
internal import Scenario
internal import Simulation

/// The description of steps in the schema of scenarios.
struct StepSchema {
  private let root: JSONValue

  /// A key of a step's mapping.
  struct Key {
    var name: String
    /// The description of the key; nil where the schema has none.
    var text: String?
    var isRequired: Bool
  }

  /// The schema of this Sluice; nil where it is not installed.
  static var installed: StepSchema? {
    guard let path = Installation.own.scenarioSchema,
      let data = FileManager.default.contents(atPath: path),
      let root = try? JSONReader.read(Array(data))
    else { return nil }
    return StepSchema(root: root)
  }

  private func property(_ step: String) -> JSONValue? {
    root["$defs"]?["step"]?["properties"]?[step]
  }

  /// The definition that the step refers to, or the step's own.
  private func definition(_ step: String) -> JSONValue? {
    resolved(property(step))
  }

  private func resolved(_ value: JSONValue?) -> JSONValue? {
    let name = value?["$ref"]?.string.flatMap { $0.split(separator: "/").last.map(String.init) }
    return name.flatMap { root["$defs"]?[$0] } ?? value
  }

  /// The effect of the step in a phrase; empty where the schema has no words for it.
  func text(of step: String) -> String {
    (property(step)?["description"] ?? definition(step)?["description"])?.string ?? ""
  }

  /// The keys of the step's mapping, `file.name` for one within another; empty where it has none.
  func keys(of step: String) -> [Key] { keys(of: definition(step), below: "") }

  private func keys(of definition: JSONValue?, below path: String) -> [Key] {
    let mapping = mapping(in: definition)
    let required = mapping?["required"]?.array?.compactMap(\.string) ?? []
    return (mapping?["properties"]?.members ?? []).flatMap { member in
      let value = resolved(member.value)
      let inner = keys(of: value, below: "\(path)\(member.name).")
      guard inner.isEmpty else { return inner }
      let text = member.value["description"] ?? value?["description"]
      return [
        Key(
          name: path + member.name, text: text?.string, isRequired: required.contains(member.name))
      ]
    }
  }

  /// The form that has keys: the definition itself, or one of its forms.
  private func mapping(in definition: JSONValue?) -> JSONValue? {
    let forms = definition?["oneOf"]?.array?.compactMap(resolved) ?? []
    return ([definition].compactMap(\.self) + forms).first { $0["properties"] != nil }
  }

  /// An example of the step as words of a command line; nil where the schema has none.
  func example(of step: String) -> String? {
    guard let value = property(step)?["examples"]?.array?.first else { return nil }
    return StepLine.words(of: step, value)
  }
}
