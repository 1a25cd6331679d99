internal import Model
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
