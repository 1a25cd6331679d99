package import JSON
internal import Predicates

/// The constraints on a value of a configuration: the part of JSON Schema that is supported.
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

  /// The constraint on keys that ``properties`` does not have.
  package indirect enum Others: Sendable {
    case unstated
    case anything
    case nothing
    case each(Schema)
  }

  /// The constraint on an array's elements.
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

  /// Whether no value is valid.
  var isRefused = false
  /// The types of the value; empty: any.
  package var types: [ValueType] = []
  /// The only valid values; nil: all.
  package var values: ListedValues?
  var range = NumberRange()
  /// The length of a string, in characters.
  var length = CountRange()
  var pattern: TextPattern?
  package var format: TextFormat?
  /// Whether the value is bytes: data in a property list, Base64 in JSON.
  var isData = false

  package var items = Items.anything
  var itemCount = CountRange()
  var itemsAreUnique = false

  package var properties: [Property] = []
  /// The keys that must be there, in the order of the specification.
  package var required: [String] = []
  package var others = Others.unstated
  var keyCount = CountRange()

  /// Other schemas that hold as well.
  package var allOf: [Schema] = []
  /// Other schemas, of which at least one holds; empty: none.
  package var anyOf: [Schema] = []
  /// Other schemas, of which exactly one holds; empty: none.
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

  /// The constraint of this schema and its parts on other keys, the strictest one.
  var othersOfAll: Others {
    let all = [others] + parts.map(\.othersOfAll)
    let closed = all.first { if case .nothing = $0 { true } else { false } }
    return closed ?? all.first { if case .unstated = $0 { false } else { true } } ?? .unstated
  }

  /// The types that this schema and those that always hold allow; empty: any.
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

/// The bounds of a number; nil: none.
struct NumberRange: Sendable {
  var minimum: Double?
  var maximum: Double?
  var exclusiveMinimum: Double?
  var exclusiveMaximum: Double?
  /// A positive divisor of the number.
  var multipleOf: Double?

  func contains(_ number: Double) -> Bool {
    number >= minimum ?? -.infinity && number <= maximum ?? .infinity
      && number > exclusiveMinimum ?? -.infinity && number < exclusiveMaximum ?? .infinity
  }

  /// True where no number of `type`, `integer` or `number`, is within the bounds.
  func isEmpty(of type: ValueType) -> Bool {
    guard let least = [minimum, exclusiveMinimum].compactMap(\.self).max(),
      let most = [maximum, exclusiveMaximum].compactMap(\.self).min()
    else { return false }
    guard type == .integer else { return least >= most && !contains(least) }
    let whole = least.rounded(.up)
    // Beyond 2^53 the next whole number is more than 1 away.
    return !contains(whole) && !contains(max(whole + 1, whole.nextUp))
  }
}

/// The bounds of a count; nil: none.
struct CountRange: Sendable {
  var least: Int?
  var most: Int?

  func contains(_ count: Int) -> Bool { count >= least ?? 0 && count <= most ?? .max }

  /// The bounds in words, such as `2 characters`, `1 to 40 characters` or `at least 1 character`; nil where there is no
  /// bound.
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

/// A regular expression that must match somewhere in a string.
struct TextPattern: Sendable {
  var text: String
  /// The compiled expression; nil where it is of a form that is not matched here.
  var pattern: Pattern?
}
