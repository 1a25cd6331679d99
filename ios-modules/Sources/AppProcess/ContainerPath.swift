internal import Foundation
internal import SluiceKit

/// A path in the app's container or an app group's container, in the device's notation.
public struct ContainerPath: Sendable, Hashable {
  /// The path relative to the container.
  public let path: String
  /// The app group; nil for the app's own container.
  public let group: String?

  /// Converts a path.
  ///
  /// - Parameter path: An absolute path, or a path relative to the app's container. A path outside
  ///   the containers stays unchanged, and the device rejects it.
  public init(_ path: String) {
    let file = URL(fileURLWithPath: path).standardizedFileURL.path
    let container = FileManager.default.currentDirectoryPath + "/"
    let groups = URL(fileURLWithPath: "../../Groups").standardizedFileURL.path + "/"
    if file.hasPrefix(container) {
      self.path = String(file.dropFirst(container.count))
      group = nil
    } else if file.hasPrefix(groups) {
      let parts = file.dropFirst(groups.count).split(separator: "/", maxSplits: 1)
      self.path = parts.count > 1 ? String(parts[1]) : ""
      group = parts.first.map(String.init)
    } else {
      self.path = path
      group = nil
    }
  }
}
