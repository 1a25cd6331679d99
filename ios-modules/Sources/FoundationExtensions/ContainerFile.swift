package import Foundation
package import SluiceKit
internal import Synchronization

/// Creates files on behalf of the system in the app's container. The device decides on each file,
/// and assigns its owner.
package enum ContainerFile {
  private static let promised = Mutex<Set<String>>([])

  /// Returns the URL of a path relative to the container, which is the working directory.
  package static func url(_ path: String) -> URL {
    URL(fileURLWithPath: path, relativeTo: container).absoluteURL
  }

  private static let container = URL(
    fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)

  /// Writes an item to a new file. Must be called on the connection's thread.
  ///
  /// - Parameters:
  ///   - name: The file name. A number is added if the name is taken.
  ///   - owner: The account that owns the file; nil for the account that the process acts for.
  ///   - done: Called with the path relative to the container; nil if the file cannot be created.
  package static func write(
    _ item: Item, named name: String, in folder: String, of owner: String?,
    _ app: Application, done: @escaping (String?) -> Void
  ) {
    let path = reserve(shortened(name), in: folder)
    IntuneMAMSwiftContextManager.setAccountId(owner) {
      app.openFile(atPath: path, for: .truncating) { result in
        release(path)
        done(put(item, result, app) ? path : nil)
      }
    }
  }

  private static func put(
    _ item: Item, _ file: Result<ProtectedFile, ProtectedFileError>, _ app: Application
  ) -> Bool {
    guard case .inline(let bytes) = item.payload else { return false }
    do {
      let file = try file.get()
      defer { file.close() }
      try file.write(bytes)
      return true
    } catch {
      app.log("a received item cannot be written to a file: \(error)")
      return false
    }
  }

  /// Shortens a name to leave room for a number, because file systems limit names to 255 bytes.
  package static func shortened(_ name: String) -> String {
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    let suffix = name[stem.endIndex...].prefix(32)
    var short = stem
    while short.utf8.count + suffix.utf8.count > 240 { short.removeLast() }
    return String(short + suffix)
  }

  private static func reserve(_ name: String, in folder: String) -> String {
    promised.withLock { promised in
      let free = freeName(name) {
        let path = "\(folder)/\($0)"
        return promised.contains(path) || FileManager.default.fileExists(atPath: path)
      }
      promised.insert("\(folder)/\(free)")
      return "\(folder)/\(free)"
    }
  }

  private static func release(_ path: String) { _ = promised.withLock { $0.remove(path) } }

  /// Returns the name if it is free. Otherwise adds the first free number before the extension, as
  /// on iOS.
  package static func freeName(_ name: String, isTaken: (String) -> Bool) -> String {
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    let suffix = name[stem.endIndex...]
    var free = name
    var number = 1
    while isTaken(free) {
      number += 1
      free = "\(stem)-\(number)\(suffix)"
    }
    return free
  }
}
