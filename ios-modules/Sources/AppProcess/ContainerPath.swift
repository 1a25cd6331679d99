internal import Foundation
internal import SluiceKit

/// A file of the app's container, or of that of an app group, as the device names it.
public struct ContainerPath: Sendable, Hashable {
  /// Relative to the container.
  public let path: String
  /// The app group; nil: the app's own container.
  public let group: String?

  /// - Parameter path: absolute, or relative to the app's container; a path elsewhere stays as it is, and the device
  ///   refuses it.
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
