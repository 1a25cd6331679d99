import Encodings
import Model

@testable import Scenario

/// The part of `docs/schema/scenario.schema.json` that covers steps, made of their declarations.
enum ScenarioSchema {
  /// The definitions for steps and expectations, with their names.
  static var definitions: [(name: String, json: String)] {
    var mappings: [(MappingRow, summary: String)] = []
    for row in Action.rows {
      guard let mapping = row.shape.mapping,
        !mappings.contains(where: { $0.0.name == mapping.name })
      else { continue }
      mappings.append((mapping, row.summary))
    }
    mappings += [
      Expectation.mapping, OfferedItem.mapping, OfferedAttachment.mapping,
      Action.Share.HandBack.mapping,
      Action.ShareSheet.Item.mapping, Action.ExpectedItem.mapping, Action.ExpectedDecision.mapping,
      Action.ExpectedOutput.mapping,
      ServiceChange.userMapping,
    ].map { ($0, "") }
    return mappings.map { ($0.name, definition(of: $0, $1)) } + [("step", step)]
  }

  private static func definition(of mapping: MappingRow, _ summary: String) -> String {
    let required = mapping.keys.filter { $0.row.presence == .required }.map(\.name)
    return object([
      member("description", mapping.summary ?? summary), #""type": "object""#,
      #""additionalProperties": false"#,
      required.isEmpty ? "" : #""required": \#(list(required.map(JSONWriter.quoted)))"#,
      properties(mapping.keys), mapping.condition,
    ])
  }

  private static func properties(_ keys: [MappingRow.Key]) -> String {
    let members = keys.map { key in "\(JSONWriter.quoted(key.name)): \(property(key.row))" }
    return #""properties": \#(object(members))"#
  }

  private static func property(_ row: KeyRow) -> String {
    object([row.summary.map { member("description", $0) } ?? "", row.value.members])
  }

  // MARK: Steps

  private static var step: String {
    let rows = Action.rows
    let tasks = rows.filter { $0.requester == .task }
    let members =
      rows.map { "\(JSONWriter.quoted($0.word)): \(property(of: $0))" }
      + Step.Qualifier.allCases.map { "\(JSONWriter.quoted($0.rawValue)): \(property($0.row))" }
    return object([
      member("description", "One action, and the expected result"),
      #""type": "object""#, #""additionalProperties": false"#,
      #""properties": \#(object(members))"#,
      #""oneOf": \#(list(rows.map { required($0.word) }))"#,
      #""if": {"anyOf": \#(list([required("as"), required("window")]))}"#,
      #""then": {"anyOf": \#(list(tasks.map { required($0.word) }))}"#,
    ])
  }

  private static func property(of row: StepRow) -> String {
    let description = member("description", row.summary)
    let examples = #""examples": [\#(row.example)]"#
    return switch row.shape {
    case .mapping(let mapping):
      object([
        mapping.summary == nil ? "" : description, ValueShape.reference(mapping.name).members,
        examples,
      ])
    case .value(let shape): object([description, shape.members, examples])
    case .either(let shapes, let mapping):
      object([
        description,
        #""oneOf": "#
          + list((shapes + [.reference(mapping.name)]).map { object([$0.members]) }),
        examples,
      ])
    }
  }

  // MARK: JSON

  private static func required(_ name: String) -> String {
    #"{"required": [\#(JSONWriter.quoted(name))]}"#
  }

  private static func member(_ name: String, _ text: String) -> String {
    "\(JSONWriter.quoted(name)): \(JSONWriter.quoted(text))"
  }

  /// Returns a JSON object with the members. Empty members are omitted.
  private static func object(_ members: [String]) -> String {
    "{\(members.filter { !$0.isEmpty }.joined(separator: ", "))}"
  }

  private static func list(_ elements: [String]) -> String {
    "[\(elements.joined(separator: ", "))]"
  }
}

extension StepShape {
  fileprivate var mapping: MappingRow? {
    switch self {
    case .mapping(let mapping), .either(_, let mapping): mapping
    case .value: nil
    }
  }
}
