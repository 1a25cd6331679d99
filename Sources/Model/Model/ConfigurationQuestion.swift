/// A question about its configuration for an app that is driven from outside.
public struct ConfigurationQuestion: Sendable, Hashable {
  /// The account's UPN or object id.
  public var account: String
  public var key: String
  public var type: ValueType
  public var query: Query

  /// The type as which the app takes the values.
  public enum ValueType: String, Sendable, CaseIterable {
    case string, number, boolean
  }

  /// The choice among several values. `or` and `and` are for booleans, `min` and `max` for numbers and strings.
  public enum Query: String, Sendable, CaseIterable {
    case any, or, and, min, max, all
  }

  /// A question for the value of `key` for `account`.
  public init(account: String, key: String, type: ValueType = .string, query: Query = .any) {
    self.account = account
    self.key = key
    self.type = type
    self.query = query
  }

  /// Whether the query fits the type.
  public var isMeaningful: Bool {
    switch query {
    case .any, .all: true
    case .or, .and: type == .boolean
    case .min, .max: type != .boolean
    }
  }

  /// The answer of `configuration` as texts: at most one unless the query is `all`.
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
