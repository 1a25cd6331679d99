public import Model
internal import Wire

/// Provides the app configurations that administrators have targeted at accounts (`IntuneMAMAppConfigManager` of the
/// Intune App SDK).
///
/// Configurations are available at launch. If an account is enrolled or a configuration changes later, the app's
/// delegate receives ``IntuneMAMNotification/appConfigDidChange``.
public final class IntuneMAMAppConfigManager {
  private var configurations: [Held] = []

  /// An account's configuration, which is parsed on demand.
  private struct Held {
    var account: String
    var objectID: String
    var dictionaries: [UInt8]

    func isNamed(_ accountID: String) -> Bool {
      let name = accountID.lowercased()
      return name == account.lowercased() || !objectID.isEmpty && name == objectID.lowercased()
    }
  }

  /// Creates the manager with the configurations that the app has at launch.
  init(_ configurations: [ConfigurationNews]) {
    for configuration in configurations { adopt(configuration) }
  }

  /// Returns the configuration of an account.
  ///
  /// The result is empty if there is no configuration, if the account is not enrolled yet, or if
  /// `accountId` is nil.
  ///
  /// - Parameter accountId: A UPN or an object id in any casing.
  public func appConfig(forAccountId accountId: String?) -> IntuneMAMAppConfig {
    appConfig(forAccountIds: accountId.map { [$0] } ?? [])
  }

  /// Returns the combined configuration of several accounts.
  public func appConfig(forAccountIds accountIds: [String]) -> IntuneMAMAppConfig {
    let found = configurations.filter { held in accountIds.contains(where: held.isNamed) }
    let delivered = found.compactMap { DeliveredConfiguration(json: $0.dictionaries) }
    return IntuneMAMAppConfig(DeliveredConfiguration(delivered.flatMap(\.dictionaries)))
  }

  func adopt(_ news: ConfigurationNews) {
    configurations.removeAll { held in
      news.objectID.isEmpty
        ? held.account.lowercased() == news.account.lowercased() : held.isNamed(news.objectID)
    }
    guard news.dictionaries != DeliveredConfiguration().json else { return }
    configurations.append(
      Held(account: news.account, objectID: news.objectID, dictionaries: news.dictionaries))
  }

  func answer(_ question: ConfigurationQuestion) -> ConfigurationAnswer {
    let configuration = appConfig(forAccountId: question.account).delivered
    return ConfigurationAnswer(
      values: question.answer(of: configuration),
      hasConflict: configuration.hasConflict(for: question.key))
  }
}

/// An account's app configuration (`IntuneMAMAppConfig` of the Intune App SDK).
///
/// Several configurations may target an account and contain different values for a key. The query type selects one of
/// these values. The tenant's default applies to a key only if no targeted configuration has a value for it.
public struct IntuneMAMAppConfig: Sendable {
  fileprivate let delivered: DeliveredConfiguration

  fileprivate init(_ delivered: DeliveredConfiguration) { self.delivered = delivered }

  /// One dictionary per configuration; empty if there are none. The dictionary of the tenant's default has the value
  /// true for `__IsDefault`.
  public var fullData: [[String: ConfigurationValue]] { delivered.dictionaries }

  /// Returns whether targeted configurations contain different values for the key.
  public func hasConflict(_ key: String) -> Bool { delivered.hasConflict(for: key) }

  /// Returns the Boolean value for the key; nil if no configuration contains one.
  public func boolValue(forKey key: String, queryType: IntuneMAMBoolQueryType) -> Bool? {
    delivered.boolean(for: key, queryType)
  }

  /// Returns the number for the key; nil if no configuration contains one.
  public func numberValue(
    forKey key: String, queryType: IntuneMAMNumberQueryType
  ) -> ConfigurationNumber? {
    delivered.number(for: key, queryType)
  }

  /// Returns the string for the key; nil if no configuration contains one.
  public func stringValue(forKey key: String, queryType: IntuneMAMStringQueryType) -> String? {
    delivered.text(for: key, queryType)
  }

  public func allBools(forKey key: String) -> [Bool] { delivered.booleans(for: key) }

  public func allNumbers(forKey key: String) -> [ConfigurationNumber] {
    delivered.numbers(for: key)
  }

  public func allStrings(forKey key: String) -> [String] { delivered.texts(for: key) }
}

public typealias IntuneMAMBoolQueryType = DeliveredConfiguration.BooleanQuery

public typealias IntuneMAMNumberQueryType = DeliveredConfiguration.OrderedQuery

public typealias IntuneMAMStringQueryType = DeliveredConfiguration.OrderedQuery
