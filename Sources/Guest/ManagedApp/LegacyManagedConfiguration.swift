public import FoundationEssentials
internal import SluiceKit

/// The older path of a managed configuration, which on iOS is in the user defaults under
/// `com.apple.configuration.managed`. An app that knows both paths lets
/// ``ManagedAppConfigurationProvider`` win.
public enum LegacyManagedConfiguration {
  /// The dictionary as a property list; nil where there is none.
  public static func propertyList() async -> Data? {
    await ManagedAppSession.ask(orWhenGone: [UInt8]?.none) { client, answer in
      client.legacyConfiguration(completion: answer)
    }.map { Data($0) }
  }
}
