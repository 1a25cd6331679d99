internal import JSON

/// All configurations that have reached one account in one app, and the answers to what the app asks of them.
///
/// Source: Intune App SDK for iOS, `IntuneMAMAppConfig.h`.
public struct DeliveredConfiguration: Sendable, Hashable {
  /// One for each configuration, in the order in which they were assigned; that of the MDM last but for the default.
  public var dictionaries: [[String: ConfigurationValue]]

  /// The key whose value is true in the tenant's default, and which no other dictionary has.
  public static let defaultMark = "__IsDefault"

  public init(_ dictionaries: [[String: ConfigurationValue]] = []) {
    self.dictionaries = dictionaries
  }

  public var isEmpty: Bool { dictionaries.isEmpty }

  /// The keys of all dictionaries, in alphabetical order.
  public var keys: [String] {
    Set(dictionaries.flatMap(\.keys)).subtracting([Self.defaultMark]).sorted()
  }

  /// What is targeted at the account for the key; only where nothing is, what the default says.
  public func values(for key: String) -> [ConfigurationValue] {
    let targeted = targeted(key)
    return targeted.isEmpty
      ? dictionaries.filter(Self.isDefault).compactMap { $0[key] } : targeted
  }

  /// Whether two targeted values for the key differ. The default gives way, and so conflicts with nothing.
  public func hasConflict(for key: String) -> Bool {
    Set(targeted(key)).count > 1
  }

  private func targeted(_ key: String) -> [ConfigurationValue] {
    dictionaries.lazy.filter { !Self.isDefault($0) }.compactMap { $0[key] }
  }

  private static func isDefault(_ dictionary: [String: ConfigurationValue]) -> Bool {
    dictionary[defaultMark] == .boolean(true)
  }
}

extension DeliveredConfiguration {
  /// Those that stand for a boolean.
  public func booleans(for key: String) -> [Bool] { values(for: key).compactMap(\.boolean) }

  public func numbers(for key: String) -> [ConfigurationNumber] {
    values(for: key).compactMap(\.number)
  }

  public func texts(for key: String) -> [String] { values(for: key).compactMap(\.text) }

  /// nil where there is none. `or` is true where one is, `and` where all are; `any` is the first.
  public func boolean(for key: String, _ query: BooleanQuery) -> Bool? {
    let values = booleans(for: key)
    guard let first = values.first else { return nil }
    return switch query {
    case .any: first
    case .or: values.contains(true)
    case .and: !values.contains(false)
    }
  }

  /// nil where there is none; `any` is the first.
  public func number(for key: String, _ query: OrderedQuery) -> ConfigurationNumber? {
    pick(numbers(for: key), query) { $0.isLess(than: $1) }
  }

  /// nil where there is none; `any` is the first. Texts are ordered by their Unicode scalars.
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

  /// How a conflict between booleans is settled.
  public enum BooleanQuery: String, Sendable, CaseIterable {
    case any, or, and
  }

  /// How a conflict between numbers, or between texts, is settled.
  public enum OrderedQuery: String, Sendable, CaseIterable {
    case any, min, max
  }
}

/// As a guest gets it: a list of objects.
extension DeliveredConfiguration {
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      for dictionary in dictionaries { ConfigurationValue.write(dictionary, to: &writer) }
    }
    return writer.bytes
  }

  /// nil where `json` is no list of objects.
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
