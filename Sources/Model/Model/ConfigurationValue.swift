public import JSON

/// A value of an app's configuration: one of the types that Intune delivers.
///
/// Source: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices", supported data types.
public enum ConfigurationValue: Sendable, Hashable {
  case text(String)
  case integer(Int)
  /// A finite number.
  case real(Double)
  case boolean(Bool)
  case list([ConfigurationValue])
  case dictionary([String: ConfigurationValue])

  /// The noun by which messages call a value of this kind, with its article.
  public var noun: String {
    switch self {
    case .text: "a string"
    case .integer: "an integer"
    case .real: "a real"
    case .boolean: "a boolean"
    case .list: "a list"
    case .dictionary: "a dictionary"
    }
  }
}

/// Conversions for an app that asks for another type than the value has: the service sends nothing but strings, and
/// MDM sends the types that the administrator chose.
extension ConfigurationValue {
  /// The value as a boolean; nil for a text other than `true`, `yes` and `1`, `false`, `no` and `0`, in any
  /// casing, for a list and for a dictionary.
  public var boolean: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    case .real(let number): number != 0
    case .text(let text):
      switch text.lowercased() {
      case "true", "yes", "1": true
      case "false", "no", "0": false
      default: nil  // open: any other text
      }
    case .list, .dictionary: nil
    }
  }

  /// The value as a number; nil for a text that is no decimal number, a list, a dictionary.
  public var number: ConfigurationNumber? {
    switch self {
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): ConfigurationNumber(text)
    case .list, .dictionary: nil
    }
  }

  /// The value as text; nil for a list and a dictionary.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .boolean(let flag): flag ? "true" : "false"
    case .list, .dictionary: nil
    }
  }
}

extension ConfigurationValue {
  /// The value of `json`; nil for null, which no configuration holds, and for a number beyond 64 bits.
  public init?(_ json: JSONValue) {
    switch json.kind {
    case .null: return nil
    case .bool(let flag): self = .boolean(flag)
    case .string(let text): self = .text(text)
    case .number(let spelling):
      guard let number = ConfigurationNumber(spelling) else { return nil }
      switch number {
      case .integer(let number): self = .integer(number)
      case .real(let number): self = .real(number)
      }
    case .array(let elements):
      let values = elements.compactMap { ConfigurationValue($0) }
      guard values.count == elements.count else { return nil }
      self = .list(values)
    case .object(let members):
      guard let values = Self.dictionary(members) else { return nil }
      self = .dictionary(values)
    }
  }

  static func dictionary(_ members: [JSONValue.Member]) -> [String: ConfigurationValue]? {
    var values: [String: ConfigurationValue] = [:]
    for member in members {
      guard let value = ConfigurationValue(member.value) else { return nil }
      values[member.name] = value
    }
    return values
  }

  /// Writes the value as JSON. A real keeps its point or its exponent, so that it is read as one.
  public func write(to writer: inout JSONWriter) {
    switch self {
    case .text(let text): writer.string(text)
    case .integer(let number): writer.number(number)
    case .real(let number): writer.raw(String(number).utf8)
    case .boolean(let flag): writer.bool(flag)
    case .list(let values):
      writer.array { writer in for value in values { value.write(to: &writer) } }
    case .dictionary(let values): Self.write(values, to: &writer)
    }
  }

  /// Writes a dictionary with its keys in alphabetical order.
  static func write(
    _ values: [String: ConfigurationValue], to writer: inout JSONWriter
  ) {
    writer.object { writer in
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        writer.member(named: key) { value.write(to: &$0) }
      }
    }
  }
}
