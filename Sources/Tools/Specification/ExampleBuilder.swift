internal import Encodings
internal import Output

/// Generates a valid configuration from a schema's examples and defaults.
enum ExampleBuilder {
  /// Returns a valid example; nil if none could be generated, for example because a pattern has no documented example.
  static func example(of schema: Schema) -> ConfigurationValue? {
    let types = schema.typesOfAll.isEmpty ? [.object] : schema.typesOfAll
    return value(for: schema, of: types).flatMap { $0.entries == nil ? nil : $0 }
  }

  private static func value(for schema: Schema) -> ConfigurationValue? {
    let types = schema.typesOfAll
    guard types.isEmpty else { return value(for: schema, of: types) }
    return value(
      for: schema, of: schema.knownProperties.isEmpty ? ValueType.allCases : [.object])
  }

  /// Returns a valid value; nil if none could be generated.
  ///
  /// - Parameter types: The types to try, in order of preference.
  private static func value(for schema: Schema, of types: [ValueType]) -> ConfigurationValue? {
    let stated = schema.examples.map(\.value) + [schema.defaultValue?.value].compactMap(\.self)
    if let value = stated.first(where: { fits($0, schema) }) { return value }
    let parts = schema.allOf.flatMap { part in
      part.examples.map(\.value) + [part.defaultValue?.value].compactMap(\.self)
    }
    let candidates =
      parts + (schema.values?.inOrder ?? []) + types.compactMap { made($0, schema) }
    if let value = candidates.first(where: { fits($0, schema) }) { return value }
    // The first alternative with a valid value is used.
    return (schema.anyOf + schema.oneOf).lazy.compactMap { value(for: $0) }
      .first { fits($0, schema) }
  }

  private static func fits(_ value: ConfigurationValue, _ schema: Schema) -> Bool {
    var checker = ConfigurationChecker(form: .json)
    checker.check(value, against: schema, at: [])
    return !checker.findings.contains { $0.severity == .error }
  }

  private static func made(_ type: ValueType, _ schema: Schema) -> ConfigurationValue? {
    switch type {
    case .boolean: ConfigurationValue(.boolean(true))
    case .integer: ConfigurationValue(.integer(Int(exactly: number(schema).rounded(.up)) ?? 0))
    case .number: ConfigurationValue(.real(number(schema)))
    case .string: ConfigurationValue(.string(text(schema)))
    case .array: array(schema)
    case .object: dictionary(schema)
    case .null: nil
    }
  }

  private static func number(_ schema: Schema) -> Double {
    let range = schema.range
    let least = range.minimum ?? range.exclusiveMinimum.map { $0 + 1 }
    let most = range.maximum ?? range.exclusiveMaximum.map { $0 - 1 }
    let number = least ?? most.map { min($0, 1) } ?? 1
    guard let divisor = range.multipleOf else { return number }
    return (number / divisor).rounded(.up) * divisor
  }

  private static func text(_ schema: Schema) -> String {
    if schema.isData { return "ZXhhbXBsZQ==" }
    if let format = schema.format { return format.sample }
    let text = "example"
    let least = min(schema.length.least ?? 0, 1_000)
    let filled = text + String(repeating: "x", count: max(0, least - text.count))
    return String(filled.prefix(schema.length.most ?? filled.count))
  }

  private static func array(_ schema: Schema) -> ConfigurationValue? {
    guard case .each(let items) = schema.items else { return ConfigurationValue(.array([])) }
    let least = max(1, schema.itemCount.least ?? 1)
    guard let element = value(for: items), least <= 100 else {
      return ConfigurationValue(.array([]))
    }
    let others = items.examples.map(\.value) + (items.values?.inOrder ?? [])
    var elements = [element]
    for other in others where elements.count < least && !elements.contains(other) {
      elements.append(other)
    }
    while elements.count < least { elements.append(element) }
    return ConfigurationValue(.array(elements))
  }

  /// Returns a dictionary with all keys for which a value can be generated. A deprecated key is included only if it is
  /// required.
  private static func dictionary(_ schema: Schema) -> ConfigurationValue? {
    let required = schema.requiredKeys
    let parts = [schema] + schema.allOf
    var entries: [ConfigurationValue.Entry] = []
    var known: Set<String> = []
    for property in parts.flatMap(\.properties) where !known.contains(property.name) {
      if property.schema.isDeprecated, !required.contains(property.name) { continue }
      guard let value = value(for: property.schema) else { continue }
      known.insert(property.name)
      entries.append(ConfigurationValue.Entry(key: property.name, value: value))
    }
    return ConfigurationValue(.dictionary(entries))
  }
}

/// Writes values as an XML property list.
struct PropertyListText {
  private var lines: [String] = []

  /// Returns the XML property list, with a final line break. Null values are omitted.
  ///
  /// - Precondition: The value was read from JSON, where bytes are Base64.
  /// - Parameter schema: The value's schema, which distinguishes dates and bytes from strings.
  static func text(of value: ConfigurationValue, by schema: Schema) -> String {
    var writer = PropertyListText()
    writer.write(value, by: schema, indent: "")
    let head = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "#
        + #""http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
      #"<plist version="1.0">"#,
    ]
    return (head + writer.lines + ["</plist>"]).joined(separator: "\n") + "\n"
  }

  private mutating func write(_ value: ConfigurationValue, by schema: Schema, indent: String) {
    switch value.kind {
    case .boolean(let flag): lines.append("\(indent)<\(flag)/>")
    case .integer(let number): lines.append("\(indent)<integer>\(number)</integer>")
    case .real(let number):
      let text = ConfigurationValue.text(of: number)
      lines.append("\(indent)<real>\(text)</real>")
    case .string(let text): write(text, by: schema, indent: indent)
    case .date(let seconds):
      lines.append("\(indent)<date>\(DateText.text(of: seconds))</date>")
    case .null, .data: preconditionFailure("JSON has no bytes, and null is left out")
    case .array(let elements): write(elements, by: schema, indent: indent)
    case .dictionary(let entries): write(entries, by: schema, indent: indent)
    }
  }

  private mutating func write(_ text: String, by schema: Schema, indent: String) {
    if schema.isSomewhere(\.isDate), let seconds = DateText.seconds(of: text) {
      lines.append("\(indent)<date>\(DateText.text(of: seconds))</date>")
    } else {
      let name = schema.isSomewhere(\.isData) ? "data" : "string"
      lines.append("\(indent)<\(name)>\(text.escaped(in: .xmlText))</\(name)>")
    }
  }

  private mutating func write(
    _ elements: [ConfigurationValue], by schema: Schema, indent: String
  ) {
    guard !elements.isEmpty else {
      lines.append("\(indent)<array/>")
      return
    }
    lines.append("\(indent)<array>")
    for element in elements where !element.isNull {
      write(element, by: schema.ofElements, indent: indent + "  ")
    }
    lines.append("\(indent)</array>")
  }

  private mutating func write(
    _ entries: [ConfigurationValue.Entry], by schema: Schema, indent: String
  ) {
    guard !entries.isEmpty else {
      lines.append("\(indent)<dict/>")
      return
    }
    lines.append("\(indent)<dict>")
    let properties = Dictionary(
      schema.knownProperties.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
    let others = schema.ofOtherValues
    for entry in entries where !entry.value.isNull {
      lines.append("\(indent)  <key>\(entry.key.escaped(in: .xmlText))</key>")
      write(entry.value, by: properties[entry.key] ?? others, indent: indent + "  ")
    }
    lines.append("\(indent)</dict>")
  }
}

extension Schema {
  /// Returns whether a property is true for this schema or for at least one of its parts.
  fileprivate func isSomewhere(_ property: KeyPath<Schema, Bool>) -> Bool {
    self[keyPath: property] || parts.contains { $0.isSomewhere(property) }
  }

  fileprivate var ofElements: Schema {
    for schema in [self] + parts { if case .each(let items) = schema.items { return items } }
    return Schema(at: position)
  }

  /// The schema for the values of keys that are not in ``knownProperties``.
  fileprivate var ofOtherValues: Schema {
    for schema in [self] + parts { if case .each(let others) = schema.others { return others } }
    return Schema(at: position)
  }
}
