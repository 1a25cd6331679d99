internal import Model
internal import Wire

/// What administrators have configured this app with (`IntuneMAMAppConfigManager` of the Intune App SDK).
///
/// It is there when the app starts. Once another account is enrolled, and whenever something changes, the app's delegate
/// hears ``IntuneMAMNotification/appConfigDidChange``.
public final class IntuneMAMAppConfigManager {
  private var configurations: [Held] = []

  /// What one account has; it is taken apart when somebody asks for it.
  private struct Held {
    var account: String
    var objectID: String
    var dictionaries: [UInt8]

    func isNamed(_ accountID: String) -> Bool {
      let name = accountID.lowercased()
      return name == account.lowercased() || !objectID.isEmpty && name == objectID.lowercased()
    }
  }

  /// - Parameter configurations: what there is when the app starts.
  init(_ configurations: [ConfigurationNews]) {
    for configuration in configurations { adopt(configuration) }
  }

  /// What is configured for an account; empty where nothing is, before it is enrolled, and where it is nil.
  ///
  /// - Parameter accountId: a UPN or an object id in any casing.
  public func appConfig(forAccountId accountId: String?) -> IntuneMAMAppConfig {
    appConfig(forAccountIds: accountId.map { [$0] } ?? [])
  }

  /// What is configured for several accounts.
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
