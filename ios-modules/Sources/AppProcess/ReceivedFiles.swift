public import Foundation
public import SluiceKit
internal import Synchronization

/// The files in this app's container that contain items from other apps.
public final class ReceivedFiles: Sendable {
  private let items = Mutex<[String: ReceivedItem]>([:])

  /// Records the received item that a file contains.
  public func add(_ item: ReceivedItem, at file: URL) {
    items.withLock { $0[file.standardizedFileURL.path] = item }
  }

  /// Returns the received item that a file contains; nil for the app's own files.
  ///
  /// - Parameter path: An absolute path, or a path relative to the container.
  public func item(at path: String) -> ReceivedItem? {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    return items.withLock { $0[path] }
  }
}
