internal import Foundation
internal import SluiceKit

/// MDM's configuration of the app in `UserDefaults.standard`, under `com.apple.configuration.managed`.
///
/// It is in the argument domain, which is searched first and never written to a file, so an app cannot change MDM's
/// values. An app's `com.apple.feedback.managed` stays in its own defaults.
///
/// Sources: Apple's sample code "Managed App Configuration" (sc2279); Apple Device Management,
/// `ManagedApplicationFeedback`, which is not simulated. MDM delivers the configuration by the command `InstallApplication` or by
/// the setting `ApplicationConfiguration`. `UserDefaults.didChangeNotification` is posted for every change of defaults.
enum ManagedDefaults {
  static let key = "com.apple.configuration.managed"

  /// Sets the configuration that the app starts with.
  static func set(_ list: [UInt8]) {
    // Setting a domain adds to what is there.
    let defaults = UserDefaults.standard
    var arguments = defaults.volatileDomain(forName: UserDefaults.argumentDomain)
    arguments[key] = dictionary(list)
    defaults.removeVolatileDomain(forName: UserDefaults.argumentDomain)
    defaults.setVolatileDomain(arguments, forName: UserDefaults.argumentDomain)
  }

  /// Has the main thread set each later configuration, and post the notification, once the app has launched. On the
  /// connection's thread.
  static func follow(_ client: ManagedAppClient, _ inbox: EventInbox) {
    client.addObserver { [unowned client] aspect in
      guard aspect == .legacyConfiguration else { return }
      client.legacyConfiguration { list in
        inbox.post {
          Callback.onMain("an observer of UserDefaults.didChangeNotification") {
            set(list ?? [])
            NotificationCenter.default.post(
              name: UserDefaults.didChangeNotification, object: UserDefaults.standard)
          }
        }
      }
    }
  }

  private static func dictionary(_ list: [UInt8]) -> [String: Any]? {
    guard !list.isEmpty else { return nil }
    return try? PropertyListSerialization.propertyList(from: Data(list), format: nil)
      as? [String: Any]
  }
}
