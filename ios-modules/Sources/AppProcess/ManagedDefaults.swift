internal import Foundation
internal import SluiceKit

/// The configuration that MDM assigned to the app, in `UserDefaults.standard` under `com.apple.configuration.managed`.
/// MDM sends it with the command `InstallApplication` or the setting `ApplicationConfiguration`.
///
/// The values are in the argument domain, which is searched first and never saved to a file. Apps therefore cannot
/// override them. `UserDefaults.didChangeNotification` is posted at every change of defaults. An app's
/// `com.apple.feedback.managed` stays in its own defaults; `ManagedApplicationFeedback` is not simulated.
///
/// Sources: Apple's sample code "Managed App Configuration" (sc2279); Apple Device Management,
/// `ManagedApplicationFeedback`.
enum ManagedDefaults {
  static let key = "com.apple.configuration.managed"

  /// Sets the initial configuration.
  static func set(_ list: [UInt8]) {
    // The old values are removed first, because setting a volatile domain merges it with existing
    // values.
    let defaults = UserDefaults.standard
    var arguments = defaults.volatileDomain(forName: UserDefaults.argumentDomain)
    arguments[key] = dictionary(list)
    defaults.removeVolatileDomain(forName: UserDefaults.argumentDomain)
    defaults.setVolatileDomain(arguments, forName: UserDefaults.argumentDomain)
  }

  /// Applies later configurations on the main thread, and posts the notification after the app has
  /// launched. Must be called on the connection's thread.
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
