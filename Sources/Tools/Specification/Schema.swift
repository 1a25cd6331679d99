internal import Bundle
internal import Encodings
internal import Output
internal import Predicates

/// The constraints on a configuration value, for the supported keywords of JSON Schema.
///
/// Source: JSON Schema 2020-12, core and validation.
struct Schema: Sendable {
  struct Property: Sendable {
    var name: String
    var position: Position
    var schema: Schema
  }

  /// An example or default in the specification.
  struct Sample: Sendable {
    var value: ConfigurationValue
    var position: Position
  }

  /// The constraint on keys that ``properties`` does not contain.
  indirect enum Others: Sendable {
    case unstated
    case anything
    case nothing
    case each(Schema)
  }

  indirect enum Items: Sendable {
    case anything
    case each(Schema)
  }

  var position: Position
  var title: String?
  var description: String?
  var isDeprecated = false
  var defaultValue: Sample?
  var examples: [Sample] = []

  /// Whether no value is valid.
  var isRefused = false
  /// The permitted types; empty if all types are permitted.
  var types: [ValueType] = []
  /// The only valid values; nil if the values are not listed.
  var values: ListedValues?
  var range = NumberRange()
  /// The length of a string, in characters.
  var length = CountRange()
  var pattern: TextPattern?
  var format: TextFormat?
  /// Whether the value is bytes, which are data in a property list and Base64 in JSON.
  var isData = false

  var items = Items.anything
  var itemCount = CountRange()
  var itemsAreUnique = false

  var properties: [Property] = []
  /// The required keys, in the order of the specification.
  var required: [String] = []
  var others = Others.unstated
  var keyCount = CountRange()

  /// Further schemas. A value must match all of them.
  var allOf: [Schema] = []
  /// Further schemas. A value must match at least one of them; empty if there are none.
  var anyOf: [Schema] = []
  /// Further schemas. A value must match exactly one of them; empty if there are none.
  var oneOf: [Schema] = []

  init(at position: Position) { self.position = position }

  /// Whether the value is a date in a property list.
  var isDate: Bool { format == .dateTime }

  /// The schemas of ``allOf``, ``anyOf`` and ``oneOf``.
  var parts: [Schema] { allOf + anyOf + oneOf }

  /// The keys in ``properties`` of this schema and, recursively, of its ``parts``, without duplicates.
  var knownProperties: [Property] {
    var names: Set<String> = []
    let all = properties + parts.flatMap(\.knownProperties)
    StepCounter.add(all.count)
    return all.filter { names.insert($0.name).inserted }
  }

  /// The keys that this schema and, recursively, the schemas of ``allOf`` require. Keys that only alternatives require
  /// are not included.
  var requiredKeys: Set<String> {
    StepCounter.add(required.count)
    return allOf.reduce(into: Set(required)) { $0.formUnion($1.requiredKeys) }
  }

  /// The constraint on keys that neither this schema nor its parts define. If this schema or one of its parts forbids
  /// such keys, they are forbidden. Otherwise, the first stated constraint applies.
  var othersOfAll: Others {
    let all = [others] + parts.map(\.othersOfAll)
    let closed = all.first { if case .nothing = $0 { true } else { false } }
    return closed ?? all.first { if case .unstated = $0 { false } else { true } } ?? .unstated
  }

  /// The types that this schema and all schemas of ``allOf`` permit. If all of them permit any type, the types that at
  /// least one schema of ``anyOf`` or ``oneOf`` permits. Empty if all types are permitted.
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

/// The bounds of a number. A bound that is nil does not apply.
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

  /// Returns whether no number of `type`, which is `integer` or `number`, is within the bounds.
  func isEmpty(of type: ValueType) -> Bool {
    guard let least = [minimum, exclusiveMinimum].compactMap(\.self).max(),
      let most = [maximum, exclusiveMaximum].compactMap(\.self).min()
    else { return false }
    guard type == .integer else { return least >= most && !contains(least) }
    let whole = least.rounded(.up)
    // Above 2^53, the next representable whole number is greater by more than 1.
    return !contains(whole) && !contains(max(whole + 1, whole.nextUp))
  }
}

/// The bounds of a count. A bound that is nil does not apply.
struct CountRange: Sendable {
  var least: Int?
  var most: Int?

  func contains(_ count: Int) -> Bool { count >= least ?? 0 && count <= most ?? .max }

  /// Returns the bounds as text, such as `2 characters`, `1 to 40 characters` or `at least 1 character`; nil
  /// if there are none.
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

/// A regular expression that must match a part of a string.
struct TextPattern: Sendable {
  var text: String
  /// The compiled expression; nil if its syntax is not supported.
  var pattern: Pattern?
}

/// A type of value, named as in JSON Schema.
enum ValueType: String, Sendable, CaseIterable {
  case string, integer, number, boolean, array, object, null

  /// The noun for a value of this type in messages, in the terms of property lists.
  var noun: String {
    switch self {
    case .string: "a string"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "a boolean"
    case .array: "an array"
    case .object: "a dictionary"
    case .null: "null"
    }
  }
}

/// The only values that a schema permits.
struct ListedValues: Sendable {
  let inOrder: [ConfigurationValue]
  private let all: Set<ConfigurationValue>
  let texts: Vocabulary

  init(_ values: [ConfigurationValue]) {
    inOrder = values
    all = Set(values)
    texts = Vocabulary(values.compactMap(\.text))
  }

  func contains(_ value: ConfigurationValue) -> Bool { all.contains(value) }
}

/// Describes schema constraints as text for administrators.
extension NumberRange {
  /// The bounds as text, such as `from 5 to 120` or `at least 5 and less than 10`; nil if there are none.
  var words: String? {
    let text = ConfigurationValue.text(of:)
    if let minimum, let maximum, exclusiveMinimum == nil, exclusiveMaximum == nil {
      return minimum == maximum ? text(minimum) : "from \(text(minimum)) to \(text(maximum))"
    }
    let parts = [
      minimum.map { "at least \(text($0))" },
      exclusiveMinimum.map { "greater than \(text($0))" },
      maximum.map { "at most \(text($0))" },
      exclusiveMaximum.map { "less than \(text($0))" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }
}

extension Schema {
  /// The value's types as text, such as `string`, `array of strings`, `dictionary` or `date`.
  var typeWords: String {
    let types = typesOfAll
    guard !types.isEmpty else { return "any" }
    return types.map { word(for: $0, isPlural: false) }.joined(separator: " or ")
  }

  private func word(for type: ValueType, isPlural: Bool) -> String {
    let singular: String
    switch type {
    case .string where isDate: singular = "date"
    case .string where isData: return "data"
    case .object: return isPlural ? "dictionaries" : "dictionary"
    case .array:
      let noun = isPlural ? "arrays" : "array"
      guard case .each(let items) = items else { return noun }
      let types = items.typesOfAll
      guard !types.isEmpty else { return noun }
      let words = types.map { items.word(for: $0, isPlural: true) }
      return "\(noun) of \(words.joined(separator: " or "))"
    case .null: return "null"
    case .string, .integer, .number, .boolean: singular = type.rawValue
    }
    return isPlural ? singular + "s" : singular
  }

  /// The constraints on a value other than its type, as clauses with code in backticks.
  var constraintWords: [String] {
    var words: [String] = []
    if let values {
      let texts = values.inOrder.map { $0.text ?? "\($0.noun)" }.map { "`\($0)`" }
      words.append((texts.count == 1 ? "only " : "one of ") + texts.joined(separator: ", "))
    }
    if let range = range.words { words.append(range) }
    if let divisor = range.multipleOf {
      words.append("a multiple of \(ConfigurationValue.text(of: divisor))")
    }
    if let length = length.words("character") { words.append(length) }
    if let pattern { words.append("matches `\(pattern.text)`") }
    if let format, !isDate { words.append(format.noun) }
    if let count = itemCount.words("element") { words.append(count) }
    if itemsAreUnique { words.append("no element twice") }
    if let count = keyCount.words("key") { words.append(count) }
    if case .each(let items) = items {
      words += items.constraintWords.map { "each \($0)" }
    }
    words += allOf.flatMap(\.constraintWords)
    for alternatives in [anyOf, oneOf] where !alternatives.isEmpty {
      let each = alternatives.map { alternative in
        let clauses = alternative.constraintWords
        let title = alternative.title ?? alternative.typeWords
        return clauses.isEmpty ? title : "\(title) (\(clauses.joined(separator: "; ")))"
      }
      words.append("either " + each.joined(separator: ", or "))
    }
    return words
  }
}
