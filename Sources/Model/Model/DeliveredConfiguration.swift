internal import JSON

/// All configurations that have reached one account in one app, and the answers to the app's questions about them.
///
/// Source: Intune App SDK for iOS, `IntuneMAMAppConfig.h`.
public struct DeliveredConfiguration: Sendable, Hashable {
  /// One dictionary for each configuration, in the order of assignment; that of MDM comes last but for the default.
  public var dictionaries: [[String: ConfigurationValue]]

  /// The key whose value is true in the tenant's default, and which no other dictionary has.
  public static let defaultMark = "__IsDefault"

  /// A delivered configuration of `dictionaries`.
  public init(_ dictionaries: [[String: ConfigurationValue]] = []) {
    self.dictionaries = dictionaries
  }

  /// Whether no configuration has reached the account.
  public var isEmpty: Bool { dictionaries.isEmpty }

  /// The keys of all dictionaries, in alphabetical order.
  public var keys: [String] {
    Set(dictionaries.flatMap(\.keys)).subtracting([Self.defaultMark]).sorted()
  }

  /// The values that are targeted at the account for the key; the default's values only where there are none.
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
  /// The values for the key that stand for a boolean.
  public func booleans(for key: String) -> [Bool] { values(for: key).compactMap(\.boolean) }

  /// The values for the key that stand for a number.
  public func numbers(for key: String) -> [ConfigurationNumber] {
    values(for: key).compactMap(\.number)
  }

  /// The values for the key that have a text.
  public func texts(for key: String) -> [String] { values(for: key).compactMap(\.text) }

  /// The boolean for the key; nil where there is none. `any` is the first, `or` true where one is, `and` where all are.
  public func boolean(for key: String, _ query: BooleanQuery) -> Bool? {
    let values = booleans(for: key)
    guard let first = values.first else { return nil }
    return switch query {
    case .any: first
    case .or: values.contains(true)
    case .and: !values.contains(false)
    }
  }

  /// The number for the key; nil where there is none. `any` is the first.
  public func number(for key: String, _ query: OrderedQuery) -> ConfigurationNumber? {
    pick(numbers(for: key), query) { $0.isLess(than: $1) }
  }

  /// The text for the key; nil where there is none. `any` is the first. Texts are ordered by their Unicode scalars.
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

  /// The way in which a conflict between booleans is settled.
  public enum BooleanQuery: String, Sendable, CaseIterable {
    case any, or, and
  }

  /// The way in which a conflict between numbers, or between texts, is settled.
  public enum OrderedQuery: String, Sendable, CaseIterable {
    case any, min, max
  }
}

/// The form in which a guest gets a configuration: a list of objects.
extension DeliveredConfiguration {
  /// The configuration as JSON: a list of objects.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      for dictionary in dictionaries { ConfigurationValue.write(dictionary, to: &writer) }
    }
    return writer.bytes
  }

  /// Reads a configuration; nil where `json` is no list of objects.
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
