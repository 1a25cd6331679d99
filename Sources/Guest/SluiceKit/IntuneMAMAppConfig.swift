public import Model
internal import Wire

/// The configurations of this app that administrators have made (`IntuneMAMAppConfigManager` of the Intune App SDK).
///
/// They are there when the app starts. Once another account is enrolled, and whenever something changes, the app's
/// delegate receives ``IntuneMAMNotification/appConfigDidChange``.
public final class IntuneMAMAppConfigManager {
  private var configurations: [Held] = []

  /// The configuration of one account, which is parsed when it is asked for.
  private struct Held {
    var account: String
    var objectID: String
    var dictionaries: [UInt8]

    func isNamed(_ accountID: String) -> Bool {
      let name = accountID.lowercased()
      return name == account.lowercased() || !objectID.isEmpty && name == objectID.lowercased()
    }
  }

  /// - Parameter configurations: the configurations when the app starts.
  init(_ configurations: [ConfigurationNews]) {
    for configuration in configurations { adopt(configuration) }
  }

  /// The configuration for an account; empty where there is none, before the account is enrolled, and where it is nil.
  ///
  /// - Parameter accountId: a UPN or an object id in any casing.
  public func appConfig(forAccountId accountId: String?) -> IntuneMAMAppConfig {
    appConfig(forAccountIds: accountId.map { [$0] } ?? [])
  }

  /// The configuration for several accounts together.
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

/// An app's configuration for an account (`IntuneMAMAppConfig` of the Intune App SDK).
///
/// Several configurations may be targeted at one account, and then hold different values for one key: each query states
/// how such a conflict is settled. The tenant's default counts for a key only where nothing is targeted.
public struct IntuneMAMAppConfig: Sendable {
  fileprivate let delivered: DeliveredConfiguration

  fileprivate init(_ delivered: DeliveredConfiguration) { self.delivered = delivered }

  /// One dictionary for each configuration; the one with a true `__IsDefault` is the tenant's default. Empty where
  /// there is none.
  public var fullData: [[String: ConfigurationValue]] { delivered.dictionaries }

  /// Whether two targeted values for the key differ.
  public func hasConflict(_ key: String) -> Bool { delivered.hasConflict(for: key) }

  /// The boolean for the key; nil where no configuration holds the key as a boolean.
  public func boolValue(forKey key: String, queryType: IntuneMAMBoolQueryType) -> Bool? {
    delivered.boolean(for: key, queryType.query)
  }

  /// The number for the key; nil where no configuration holds the key as a number.
  public func numberValue(
    forKey key: String, queryType: IntuneMAMNumberQueryType
  ) -> ConfigurationNumber? {
    delivered.number(for: key, queryType.query)
  }

  /// The text for the key; nil where no configuration holds the key as a text.
  public func stringValue(forKey key: String, queryType: IntuneMAMStringQueryType) -> String? {
    delivered.text(for: key, queryType.query)
  }

  /// All booleans for the key.
  public func allBools(forKey key: String) -> [Bool] { delivered.booleans(for: key) }

  /// All numbers for the key.
  public func allNumbers(forKey key: String) -> [ConfigurationNumber] {
    delivered.numbers(for: key)
  }

  /// All texts for the key.
  public func allStrings(forKey key: String) -> [String] { delivered.texts(for: key) }
}

/// The way in which a conflict between booleans is settled.
public enum IntuneMAMBoolQueryType: Sendable, CaseIterable {
  /// One of the values; here always the first.
  case any
  /// True where any value is true.
  case or
  /// True where all values are true.
  case and

  fileprivate var query: DeliveredConfiguration.BooleanQuery {
    switch self {
    case .any: .any
    case .or: .or
    case .and: .and
    }
  }
}

/// The way in which a conflict between numbers is settled.
public enum IntuneMAMNumberQueryType: Sendable, CaseIterable {
  /// One of the values; here always the first.
  case any
  case min
  case max

  fileprivate var query: DeliveredConfiguration.OrderedQuery {
    switch self {
    case .any: .any
    case .min: .min
    case .max: .max
    }
  }
}

/// The way in which a conflict between texts is settled.
public enum IntuneMAMStringQueryType: Sendable, CaseIterable {
  /// One of the values; here always the first.
  case any
  /// The first in the order of Unicode scalars.
  case min
  /// The last in the order of Unicode scalars.
  case max

  fileprivate var query: DeliveredConfiguration.OrderedQuery {
    switch self {
    case .any: .any
    case .min: .min
    case .max: .max
    }
  }
}
