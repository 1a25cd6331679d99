public import Foundation
public import SluiceKit
internal import Synchronization

/// The files of this app's container that came from others.
public final class ReceivedFiles: Sendable {
  private let items = Mutex<[String: ReceivedItem]>([:])

  /// Notes that a file holds an item that came in.
  public func add(_ item: ReceivedItem, at file: URL) {
    items.withLock { $0[file.standardizedFileURL.path] = item }
  }

  /// The item that a file holds; nil for a file of the app's own.
  ///
  /// - Parameter path: absolute, or relative to the container.
  public func item(at path: String) -> ReceivedItem? {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    return items.withLock { $0[path] }
  }
}
