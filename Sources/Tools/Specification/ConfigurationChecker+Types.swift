internal import Bundle
internal import Diagnostics

/// Types of values, and words of messages.
extension ConfigurationChecker {
  /// Whether a value is of a type that the schema allows; if not, adds a fault.
  mutating func checkType(
    _ value: ConfigurationValue, _ schema: Schema, at path: ListPath
  ) -> Bool {
    if case .null = value.kind, form == .propertyList || !schema.types.contains(.null) {
      find(
        .wrongType, ofValueAt: path, "\(Self.name(path)) is null, which a property list cannot hold"
      )
      return false
    }
    let expected = expected(schema)
    guard !schema.types.isEmpty, !schema.types.contains(where: { matches(value, $0, schema) })
    else { return true }
    find(
      .wrongType, ofValueAt: path,
      "\(Self.name(path)) must be \(expected), found \(value.noun)\(Self.excerpt(value, at: path))"
        + Self.hint(value, types: schema.types))
    return false
  }

  private func matches(
    _ value: ConfigurationValue, _ type: ValueType, _ schema: Schema
  ) -> Bool {
    switch value.kind {
    case .null: type == .null
    case .boolean: type == .boolean
    case .integer: type == .integer || type == .number
    // A whole number is one, however it is written.
    case .real(let number):
      type == .number || type == .integer && number == number.rounded() && number.isFinite
    case .string: type == .string && (form == .json || !schema.isDate && !schema.isData)
    case .date: type == .string && schema.isDate
    case .data: type == .string && schema.isData
    case .array: type == .array
    case .dictionary: type == .object
    }
  }

  private func expected(_ schema: Schema) -> String {
    let nouns = schema.types.map { type in
      guard type == .string, form == .propertyList else { return type.noun }
      return schema.isDate ? "a date" : schema.isData ? "data" : type.noun
    }
    return Phrase.any(of: nouns)
  }

  /// The spelling to use, where a number or a boolean is written as a string.
  private static func hint(_ value: ConfigurationValue, types: [ValueType]) -> String {
    switch value.kind {
    case .string(let text):
      if types.contains(.boolean), let flag = boolean(text) {
        return "; write \(flag), not a string"
      }
      let isNumber =
        types.contains(.integer) && Int(text) != nil
        || types.contains(.number) && Double(text) != nil
      return isNumber ? "; write a number, not a string" : ""
    case .integer(let number):
      let isFlag = types.contains(.boolean) && (0...1).contains(number)
      return isFlag ? "; write \(number == 1)" : ""
    case .null, .boolean, .real, .data, .date, .array, .dictionary: return ""
    }
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil  // open: any other text
    }
  }

  // MARK: Words

  /// The name of a value in messages; the top is the configuration.
  static func name(_ path: ListPath) -> String {
    path.isEmpty ? "the configuration" : "`\(path.words)`"
  }

  /// The words in a list, such as `` `a`, `b` ``.
  static func list(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The value in a clause, such as `` , found `a` ``; empty for long values and secrets.
  static func found(_ value: ConfigurationValue, at path: ListPath) -> String {
    let excerpt = excerpt(value, at: path)
    return excerpt.isEmpty ? "" : ", found\(excerpt)"
  }

  /// The value in backticks, to follow its noun; empty for long values and secrets.
  static func excerpt(_ value: ConfigurationValue, at path: ListPath) -> String {
    guard let text = value.text, text.count <= 40, !isSecret(path) else { return "" }
    return " `\(text)`"
  }

  /// The number of letters of a key that may be wrong: one in four, but at least two.
  static func slips(in key: String) -> Int { min(max(2, key.utf8.count / 4), 8) }

  /// Whether a value must not be repeated in messages.
  static func isSecret(_ path: ListPath) -> Bool {
    path.contains { step in
      if case .key(let key) = step { KeyWords(key).areOfSecret } else { false }
    }
  }
}

extension ListPath {
  /// The path in words, such as `places > item 2 > name`. Everything below a key repeats its name, so that a long name
  /// is cut.
  var words: String {
    map { step in
      switch step {
      case .key(let key):
        key.utf8.count <= 200 ? key : String(key.unicodeScalars.prefix(200)) + "…"
      case .index(let index): "item \(index + 1)"
      }
    }.joined(separator: " > ")
  }
}
