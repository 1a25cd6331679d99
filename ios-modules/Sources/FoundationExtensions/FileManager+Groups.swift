public import Foundation
internal import SluiceKit

extension FileManager {
  /// The folder that an app group shares; nil for a group that the app's entitlements do not name.
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    let path = Application.containerPath(forSecurityApplicationGroupIdentifier: groupIdentifier)
    guard !groupIdentifier.contains("/"), fileExists(atPath: path) else { return nil }
    return URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
  }
}
