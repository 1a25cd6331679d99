package import JSON
internal import Predicates

/// What a value of a configuration must be: as much of JSON Schema as is read.
///
/// Source: JSON Schema 2020-12, core and validation.
package struct Schema: Sendable {
  /// A key of a dictionary.
  package struct Property: Sendable {
    package var name: String
    package var position: Position
    package var schema: Schema
  }

  /// A value of the specification itself.
  package struct Sample: Sendable {
    package var value: ConfigurationValue
    package var position: Position
  }

  /// What holds of keys that ``properties`` has not.
  package indirect enum Others: Sendable {
    case unstated
    case anything
    case nothing
    case each(Schema)
  }

  /// What holds of an array's elements.
  package indirect enum Items: Sendable {
    case anything
    case each(Schema)
  }

  package var position: Position
  package var title: String?
  package var description: String?
  package var isDeprecated = false
  package var defaultValue: Sample?
  package var examples: [Sample] = []

  /// No value is right.
  var isRefused = false
  /// Empty: any.
  package var types: [ValueType] = []
  /// The only values; nil: all.
  package var values: ListedValues?
  var range = NumberRange()
  /// In characters.
  var length = CountRange()
  var pattern: TextPattern?
  package var format: TextFormat?
  /// Bytes: in a property list data, in JSON Base64.
  var isData = false

  package var items = Items.anything
  var itemCount = CountRange()
  var itemsAreUnique = false

  package var properties: [Property] = []
  /// In the order of the specification.
  package var required: [String] = []
  package var others = Others.unstated
  var keyCount = CountRange()

  /// Other schemas that hold as well.
  package var allOf: [Schema] = []
  /// Other schemas, of which one at least holds; empty: no matter which.
  package var anyOf: [Schema] = []
  /// Other schemas, of which one holds; empty: no matter which.
  package var oneOf: [Schema] = []

  init(at position: Position) { self.position = position }

  /// Whether the value is a date in a property list.
  var isDate: Bool { format == .dateTime }

  /// The schemas that hold beside this one, whether always or as an alternative.
  var parts: [Schema] { allOf + anyOf + oneOf }

  /// All keys that a dictionary may have by this schema and its parts, each once.
  package var knownProperties: [Property] {
    var names: Set<String> = []
    return (properties + parts.flatMap(\.knownProperties)).filter {
      names.insert($0.name).inserted
    }
  }

  /// All keys that a dictionary must have, whatever alternative holds.
  package var requiredKeys: Set<String> {
    allOf.reduce(into: Set(required)) { $0.formUnion($1.requiredKeys) }
  }

  /// What this schema and its parts say of other keys, the strictest first.
  var othersOfAll: Others {
    let all = [others] + parts.map(\.othersOfAll)
    let closed = all.first { if case .nothing = $0 { true } else { false } }
    return closed ?? all.first { if case .unstated = $0 { false } else { true } } ?? .unstated
  }

  /// What can stand there, by this schema and those that hold always; empty: anything.
  var typesOfAll: [ValueType] {
    let all = ([types] + allOf.map(\.typesOfAll)).filter { !$0.isEmpty }
    guard let first = all.first else {
      let alternatives = anyOf.isEmpty ? oneOf : anyOf
      let types = alternatives.map(\.typesOfAll)
      guard !types.contains(where: \.isEmpty) else { return [] }
      return ValueType.allCases.filter { type in types.contains { $0.contains(type) } }
    }
    return first.filter { type in all.allSatisfy { $0.contains(type) } }
  }
}

/// Bounds of a number; nil: none.
struct NumberRange: Sendable {
  var minimum: Double?
  var maximum: Double?
  var exclusiveMinimum: Double?
  var exclusiveMaximum: Double?
  /// Positive.
  var multipleOf: Double?
}

/// Bounds of a count; nil: none.
struct CountRange: Sendable {
  var least: Int?
  var most: Int?

  func contains(_ count: Int) -> Bool { count >= least ?? 0 && count <= most ?? .max }

  /// `2 characters`, `1 to 40 characters`, `at least 1 character`; nil where there is no bound.
  func words(_ noun: String) -> String? {
    let noun = { (count: Int) in "\(count) \(noun)\(count == 1 ? "" : "s")" }
    switch (least, most) {
    case (let least?, let most?): return least == most ? noun(least) : "\(least) to \(noun(most))"
    case (let least?, nil): return "at least \(noun(least))"
    case (nil, let most?): return "at most \(noun(most))"
    case (nil, nil): return nil
    }
  }
}

/// A regular expression that a string must have a match of somewhere.
struct TextPattern: Sendable {
  var text: String
  /// nil where it is one that is not matched here.
  var pattern: Pattern?
}
