internal import Bundle
internal import Encodings

/// A value in a configuration or its specification, read from a property list or JSON.
struct ConfigurationValue: Sendable {
  enum Kind: Sendable {
    /// A null value, which exists only in JSON.
    case null
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    case string(String)
    case data([UInt8])
    /// A date, in seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case array([ConfigurationValue])
    case dictionary([Entry])
  }

  /// A key with its value. Entries are in the order of the file.
  struct Entry: Sendable {
    var key: String
    var value: ConfigurationValue
  }

  var kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  var entries: [Entry]? { if case .dictionary(let entries) = kind { entries } else { nil } }

  var elements: [ConfigurationValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  var isNull: Bool { if case .null = kind { true } else { false } }

  var number: Double? {
    switch kind {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .boolean, .string, .data, .date, .array, .dictionary: nil
    }
  }

  /// The noun for this kind of value in messages.
  var noun: String {
    switch kind {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .real: "a number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }

  /// The value as text; nil for data, arrays and dictionaries.
  var text: String? {
    switch kind {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .real(let number): Self.text(of: number)
    case .string(let text): text
    case .date(let seconds): DateText.text(of: seconds)
    case .data, .array, .dictionary: nil
    }
  }

  /// Returns a number as text, without a fraction if it is whole.
  static func text(of number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

extension ConfigurationValue {
  init(_ value: PropertyListValue) {
    switch value.kind {
    case .boolean(let flag): kind = .boolean(flag)
    case .string(let text): kind = .string(text)
    case .integer(let number): kind = .integer(number)
    case .real(let number): kind = .real(number)
    case .data(let bytes): kind = .data(bytes)
    case .date(let seconds): kind = .date(seconds)
    case .array(let elements): kind = .array(elements.map { ConfigurationValue($0) })
    case .dictionary(let values):
      kind = .dictionary(
        values.entries.map { Entry(key: $0.key, value: ConfigurationValue($0.value)) })
    }
  }

  /// Converts a JSON value. Duplicate names are preserved.
  init(_ value: JSONValue) {
    switch value.kind {
    case .null: kind = .null
    case .bool(let flag): kind = .boolean(flag)
    case .string(let text): kind = .string(text)
    case .number(let spelling):
      kind = Int(spelling).map { .integer($0) } ?? .real(Double(spelling) ?? .infinity)
    case .array(let elements): kind = .array(elements.map { ConfigurationValue($0) })
    case .object(let members):
      kind = .dictionary(
        members.map { Entry(key: $0.name, value: ConfigurationValue($0.value)) })
    }
  }
}

/// Compares values as JSON Schema does: numbers are compared by value, and the order of keys is
/// irrelevant.
extension ConfigurationValue: Hashable {
  static func == (left: ConfigurationValue, right: ConfigurationValue) -> Bool {
    switch (left.kind, right.kind) {
    case (.null, .null): return true
    case (.boolean(let left), .boolean(let right)): return left == right
    case (.integer(let left), .integer(let right)): return left == right
    case (.string(let left), .string(let right)): return left == right
    case (.data(let left), .data(let right)): return left == right
    case (.date(let left), .date(let right)): return left == right
    case (.array(let left), .array(let right)): return left == right
    case (.dictionary(let left), .dictionary(let right)): return values(left) == values(right)
    case (.real(let left), .real(let right)): return left == right
    case (.integer(let whole), .real(let number)), (.real(let number), .integer(let whole)):
      return Int(exactly: number) == whole
    case (.null, _), (.boolean, _), (.integer, _), (.real, _), (.string, _), (.data, _),
      (.date, _), (.array, _), (.dictionary, _):
      return false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch kind {
    case .null: hasher.combine(0)
    case .boolean(let flag): hasher.combine(flag)
    case .integer(let number): hasher.combine(number)
    case .real(let number):
      if let whole = Int(exactly: number) { hasher.combine(whole) } else { hasher.combine(number) }
    case .string(let text): hasher.combine(text)
    case .data(let bytes): hasher.combine(bytes)
    case .date(let seconds): hasher.combine(seconds)
    case .array(let elements): hasher.combine(elements)
    case .dictionary(let entries): hasher.combine(Self.values(entries))
    }
  }

  /// Returns the values, keyed by name. If a key is duplicate, its last value counts.
  private static func values(_ entries: [Entry]) -> [String: ConfigurationValue] {
    Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
  }
}
