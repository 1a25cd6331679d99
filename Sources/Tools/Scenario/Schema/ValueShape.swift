/// The values that a place of a scenario takes, in terms of its JSON Schema.
struct ValueShape: Sendable {
  /// The members of a schema, such as `"type": "string"`.
  let members: String

  init(json members: String) { self.members = members }

  /// Text that YAML cannot take for anything else, such as a name, a path or a duration.
  static let name = ValueShape(json: #""type": "string""#)
  /// Text, which YAML may take for a number or a boolean where it has no quotes.
  static let text = ValueShape(json: #""type": ["string", "number", "boolean"]"#)
  static let path = ValueShape(json: #"\#(text.members), "minLength": 1"#)
  static let uniformType = name(matching: #"^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$"#)
  /// A duration of ISO 8601, in weeks, days, hours, minutes and seconds.
  static let duration = name(
    matching: "^P([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+S)?)?$")
  static let flag = ValueShape(json: #""type": "boolean""#)
  static let integer = ValueShape(json: #""type": "integer""#)

  /// The shape of a name among the schema's definitions.
  static func reference(_ name: String) -> ValueShape {
    ValueShape(json: ##""$ref": "#/$defs/\##(name)""##)
  }

  static func name(matching pattern: String) -> ValueShape {
    ValueShape(json: #""type": "string", "pattern": "\#(pattern)""#)
  }

  static func word(of words: [String]) -> ValueShape {
    ValueShape(json: #""enum": [\#(words.map { #""\#($0)""# }.joined(separator: ", "))]"#)
  }

  static func word<Word: RawRepresentable<String> & CaseIterable>(of: Word.Type) -> ValueShape {
    word(of: Word.allCases.map(\.rawValue))
  }

  static func constant(_ word: String) -> ValueShape { ValueShape(json: #""const": "\#(word)""#) }

  static func list(of element: ValueShape) -> ValueShape {
    ValueShape(json: #""type": "array", "items": {\#(element.members)}"#)
  }

  static func someOf(_ element: ValueShape) -> ValueShape {
    ValueShape(json: #"\#(list(of: element).members), "minItems": 1"#)
  }

  static func oneOrMore(_ element: ValueShape) -> ValueShape {
    ValueShape(json: #""oneOf": [{\#(element.members)}, {\#(someOf(element).members)}]"#)
  }

  static func mapping(to value: ValueShape) -> ValueShape {
    ValueShape(json: #""type": "object", "additionalProperties": {\#(value.members)}"#)
  }
}
