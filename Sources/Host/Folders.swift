internal import Foundation

/// Where a device keeps what it keeps, below its own folder.
struct Folders {
  let root: String

  var database: String { "\(root)/device.sqlite" }
  var journal: String { "\(root)/journal.jsonl" }

  /// The container of a guest.
  func container(_ guest: String) -> String { "\(root)/Containers/\(guest)" }

  /// The shared container of an app group.
  func group(_ group: String) -> String { "\(root)/Groups/\(group)" }

  /// - Throws: ``HostError`` with the system's reason.
  static func create(_ path: String) throws(HostError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw HostError(.folder, "cannot create the folder `\(path)`: \(error.localizedDescription)")
    }
  }

  /// `path` from the root of the file system, links resolved: guests run elsewhere.
  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
