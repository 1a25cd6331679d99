public import Encodings

/// All configurations delivered to one account in one app.
///
/// Source: Intune App SDK for iOS, `IntuneMAMAppConfig.h`.
public struct DeliveredConfiguration: Sendable, Hashable {
  /// One dictionary per configuration: assigned configurations in order, then the MDM configuration, then the tenant's
  /// default configuration.
  public var dictionaries: [[String: ConfigurationValue]]

  /// The key that marks the tenant's default configuration, which contains it with the value true.
  public static let defaultMark = "__IsDefault"

  /// Creates a configuration. Without arguments, it is empty.
  public init(_ dictionaries: [[String: ConfigurationValue]] = []) {
    self.dictionaries = dictionaries
  }

  /// Whether no configuration was delivered.
  public var isEmpty: Bool { dictionaries.isEmpty }

  /// The keys of all dictionaries, sorted, without ``defaultMark``.
  public var keys: [String] {
    Set(dictionaries.flatMap(\.keys)).subtracting([Self.defaultMark]).sorted()
  }

  /// Returns the values for `key` in the configurations that target the account. If there are none, returns the values
  /// in the tenant's default.
  public func values(for key: String) -> [ConfigurationValue] {
    let targeted = targeted(key)
    return targeted.isEmpty
      ? dictionaries.filter(Self.isDefault).compactMap { $0[key] } : targeted
  }

  /// Returns whether two targeted values for `key` differ. The default never conflicts.
  public func hasConflict(for key: String) -> Bool {
    Set(targeted(key)).count > 1
  }

  private func targeted(_ key: String) -> [ConfigurationValue] {
    dictionaries.lazy.filter { !Self.isDefault($0) }.compactMap { $0[key] }
  }

  private static func isDefault(_ dictionary: [String: ConfigurationValue]) -> Bool {
    dictionary[defaultMark] == .boolean(true)
  }

  /// Returns the values for `key` that convert to booleans.
  public func booleans(for key: String) -> [Bool] { values(for: key).compactMap(\.boolean) }

  /// Returns the values for `key` that convert to numbers.
  public func numbers(for key: String) -> [ConfigurationNumber] {
    values(for: key).compactMap(\.number)
  }

  /// Returns the values for `key` that convert to text.
  public func texts(for key: String) -> [String] { values(for: key).compactMap(\.text) }

  /// Returns the boolean for `key`; nil if there is none. With `any`, returns the first value; with `or`, whether any
  /// value is true; with `and`, whether all values are true.
  public func boolean(for key: String, _ query: BooleanQuery) -> Bool? {
    let values = booleans(for: key)
    guard let first = values.first else { return nil }
    return switch query {
    case .any: first
    case .or: values.contains(true)
    case .and: !values.contains(false)
    }
  }

  /// Returns the number for `key`; nil if there is none. With `any`, returns the first value.
  public func number(for key: String, _ query: OrderedQuery) -> ConfigurationNumber? {
    pick(numbers(for: key), query) { $0.isLess(than: $1) }
  }

  /// Returns the text for `key`; nil if there is none. With `any`, returns the first value; `min` and `max` compare
  /// texts by Unicode scalar.
  public func text(for key: String, _ query: OrderedQuery) -> String? {
    pick(texts(for: key), query) { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
  }

  private func pick<Value>(
    _ values: [Value], _ query: OrderedQuery, _ isLess: (Value, Value) -> Bool
  ) -> Value? {
    switch query {
    case .any: values.first
    case .min: values.min(by: isLess)
    case .max: values.max(by: isLess)
    }
  }

  /// The choice of one result if a key has several boolean values.
  public enum BooleanQuery: String, Sendable, CaseIterable {
    /// Any of the values; in Sluice, always the first value.
    case any
    /// True if any value is true.
    case or
    /// True if all values are true.
    case and
  }

  /// The choice of one result if a key has several numbers or several texts.
  public enum OrderedQuery: String, Sendable, CaseIterable {
    /// Any of the values; in Sluice, always the first value.
    case any
    /// The lowest number, or the first text in Unicode scalar order.
    case min
    /// The highest number, or the last text in Unicode scalar order.
    case max
  }
}

/// The JSON form in which guests receive a configuration.
extension DeliveredConfiguration {
  /// The configuration as a JSON list of objects.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      for dictionary in dictionaries { ConfigurationValue.write(dictionary, to: &writer) }
    }
    return writer.bytes
  }

  /// Reads a configuration; nil if `json` is not a list of objects, or if ``ConfigurationValue`` cannot represent a
  /// value.
  public init?(json: [UInt8]) {
    guard let elements = try? JSONReader.read(json).array else { return nil }
    var dictionaries: [[String: ConfigurationValue]] = []
    for element in elements {
      guard let members = element.members, let values = ConfigurationValue.dictionary(members)
      else { return nil }
      dictionaries.append(values)
    }
    self.init(dictionaries)
  }
}

// MARK: - Values

/// A value in an app configuration, with one of the types that Intune delivers.
///
/// Source: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices", supported data
/// types.
public enum ConfigurationValue: Sendable, Hashable {
  case text(String)
  case integer(Int)
  /// A finite number.
  case real(Double)
  case boolean(Bool)
  case list([ConfigurationValue])
  case dictionary([String: ConfigurationValue])

  /// The noun for this kind of value in messages, with its article.
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

/// Conversions to the type that the app requests. They are needed because the service sends every value as a string,
/// and MDM sends values of the types that the administrator chose.
extension ConfigurationValue {
  /// The value as a boolean; nil for lists, dictionaries, and texts other than `true`, `yes`, `1`,
  /// `false`, `no` and `0` in any casing.
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

  /// The value as a number; nil for lists, dictionaries, and texts that ``ConfigurationNumber/init(_:)`` rejects.
  public var number: ConfigurationNumber? {
    switch self {
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): ConfigurationNumber(text)
    case .list, .dictionary: nil
    }
  }

  /// The value as text; nil for lists and dictionaries.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .boolean(let flag): flag ? "true" : "false"
    case .list, .dictionary: nil
    }
  }

  /// Creates the value of `json`; nil if it is or contains null or a number beyond the range of `Double`.
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

  fileprivate static func dictionary(_ members: [JSONValue.Member]) -> [String: ConfigurationValue]?
  {
    var values: [String: ConfigurationValue] = [:]
    for member in members {
      guard let value = ConfigurationValue(member.value) else { return nil }
      values[member.name] = value
    }
    return values
  }

  /// Writes the value as JSON. A real keeps its point or exponent, so it is read back as a real.
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

  /// Writes a dictionary with its keys sorted.
  fileprivate static func write(
    _ values: [String: ConfigurationValue], to writer: inout JSONWriter
  ) {
    writer.object { $0.members(of: values) { $1.write(to: &$0) } }
  }
}

public enum ConfigurationNumber: Sendable, Hashable {
  case integer(Int)
  /// A finite number.
  case real(Double)

  /// Reads a decimal number: an integer if `Int` can represent it, otherwise a real. Returns nil if `text` is not a
  /// decimal number, or is beyond the range of `Double`.
  public init?(_ text: String) {
    if let number = Int(text) {
      self = .integer(number)
    } else if text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    {
      self = .real(number)
    } else {
      return nil
    }
  }

  /// The number as a double. An integer without an exact double is rounded.
  public var doubleValue: Double {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    }
  }

  /// The number as an integer; nil for fractions and for values outside `Int`.
  public var intValue: Int? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int(exactly: number)
    }
  }

  public var text: String {
    switch self {
    case .integer(let number): String(number)
    case .real(let number): String(number)
    }
  }

  /// Returns whether the number is less than `other` by exact value, without rounding integers to doubles.
  public func isLess(than other: ConfigurationNumber) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer(let left), .real(let right)): Self.isLess(left, than: right)
    case (.real(let left), .integer(let right)): Self.isMore(right, than: left)
    }
  }

  private static func isLess(_ number: Int, than bound: Double) -> Bool {
    guard let rounded = Int(exactly: bound.rounded(.down)) else { return bound > 0 }
    return number < rounded || number == rounded && bound > bound.rounded(.down)
  }

  private static func isMore(_ number: Int, than bound: Double) -> Bool {
    guard let rounded = Int(exactly: bound.rounded(.down)) else { return bound < 0 }
    return number > rounded
  }
}

// MARK: - External queries

/// A question from a scenario or test about a value in an app's configuration.
public struct ConfigurationQuestion: Sendable, Hashable {
  /// The account's UPN or object id.
  public var account: String
  public var key: String
  public var type: ValueType
  public var query: Query

  public enum ValueType: String, Sendable, CaseIterable {
    case string, number, boolean
  }

  /// The selection if a key has several values. `or` and `and` are for booleans, `min` and `max` for numbers and
  /// strings.
  public enum Query: String, Sendable, CaseIterable {
    case any, or, and, min, max, all
  }

  public init(account: String, key: String, type: ValueType = .string, query: Query = .any) {
    self.account = account
    self.key = key
    self.type = type
    self.query = query
  }

  /// Whether ``query`` is defined for values of ``type``.
  public var isMeaningful: Bool {
    switch query {
    case .any, .all: true
    case .or, .and: type == .boolean
    case .min, .max: type != .boolean
    }
  }

  /// Returns the values in `configuration` that answer the query, as texts. Only the query `all` has more than one
  /// result. If the query is not meaningful (``isMeaningful``), the result is empty.
  public func answer(of configuration: DeliveredConfiguration) -> [String] {
    switch type {
    case .boolean: booleans(configuration).map { $0 ? "true" : "false" }
    case .number: numbers(configuration).map(\.text)
    case .string: strings(configuration)
    }
  }

  private func booleans(_ configuration: DeliveredConfiguration) -> [Bool] {
    guard query != .all else { return configuration.booleans(for: key) }
    let query = DeliveredConfiguration.BooleanQuery(rawValue: query.rawValue)
    return query.flatMap { configuration.boolean(for: key, $0) }.map { [$0] } ?? []
  }

  private func numbers(_ configuration: DeliveredConfiguration) -> [ConfigurationNumber] {
    guard query != .all else { return configuration.numbers(for: key) }
    let query = DeliveredConfiguration.OrderedQuery(rawValue: query.rawValue)
    return query.flatMap { configuration.number(for: key, $0) }.map { [$0] } ?? []
  }

  private func strings(_ configuration: DeliveredConfiguration) -> [String] {
    guard query != .all else { return configuration.texts(for: key) }
    let query = DeliveredConfiguration.OrderedQuery(rawValue: query.rawValue)
    return query.flatMap { configuration.text(for: key, $0) }.map { [$0] } ?? []
  }
}
