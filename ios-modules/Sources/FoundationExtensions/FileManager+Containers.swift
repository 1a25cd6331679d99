public import Foundation
internal import SluiceKit

extension FileManager {
  /// Returns the shared folder of an app group. Returns nil if the app's entitlements do not contain the group; the app
  /// then cannot access the folder.
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    let path = Application.containerPath(forSecurityApplicationGroupIdentifier: groupIdentifier)
    guard !groupIdentifier.contains("/"), fileExists(atPath: path) else { return nil }
    return URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
  }

  /// Returns nil, because the simulated device has no iCloud.
  public func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? { nil }
}
