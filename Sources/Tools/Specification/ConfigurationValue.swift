internal import Bundle
internal import JSON

/// A value of a configuration, or of its specification: what a property list and JSON have in common.
package struct ConfigurationValue: Sendable {
  package enum Kind: Sendable {
    /// JSON only.
    case null
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    case string(String)
    case data([UInt8])
    /// Seconds since the beginning of 2001, UTC.
    case date(Double)
    case array([ConfigurationValue])
    case dictionary([Entry])
  }

  /// A key with its value, in the file's order.
  package struct Entry: Sendable {
    package var key: String
    package var value: ConfigurationValue
  }

  package var kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  var entries: [Entry]? { if case .dictionary(let entries) = kind { entries } else { nil } }

  var elements: [ConfigurationValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  var isNull: Bool { if case .null = kind { true } else { false } }

  /// nil for what is no number.
  var number: Double? {
    switch kind {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// What messages call a value of this kind.
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

  /// The value in a line of text; nil for those that have no short form.
  package var text: String? {
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

  /// A number as people write it: without a fraction where it is whole.
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

  /// Of a name that an object states twice, both entries are there.
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

/// The same content, as JSON Schema has it: a whole number is one however it is written, and the order
/// of keys does not count.
extension ConfigurationValue: Hashable {
  package static func == (left: ConfigurationValue, right: ConfigurationValue) -> Bool {
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
    default: return false
    }
  }

  package func hash(into hasher: inout Hasher) {
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

  /// Of a key that is there twice the last holds.
  private static func values(_ entries: [Entry]) -> [String: ConfigurationValue] {
    Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
  }
}
