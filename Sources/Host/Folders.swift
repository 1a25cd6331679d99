internal import Glibc

/// Where a device keeps what it keeps, below its own folder.
struct Folders {
  let root: String

  var database: String { "\(root)/device.sqlite" }
  var journal: String { "\(root)/journal.jsonl" }
  /// The certificate of the organisation's authority, for apps that reach its servers.
  var organizationCertificate: String { "\(root)/organization.pem" }

  /// The name of an app's or extension's container, and of an app group's, below the device's folder.
  static func scope(ofContainer app: String) -> String { "Containers/\(app)" }
  static func scope(ofGroup group: String) -> String { "Groups/\(group)" }

  /// The container of an app or extension.
  func container(_ app: String) -> String { "\(root)/\(Self.scope(ofContainer: app))" }

  /// What apps hand to the system, a folder for each printer and storage location.
  var outlet: String { "\(root)/System" }

  /// The shared container of an app group.
  func group(_ group: String) -> String { "\(root)/\(Self.scope(ofGroup: group))" }

  /// Folders with what apps and their users have made.
  var content: [String] { ["\(root)/Containers", "\(root)/Groups", outlet] }

  /// - Throws: ``HostError`` with the system's reason.
  static func create(_ path: String) throws(HostError) {
    if mkdir(path, 0o700) == 0 { return }
    if errno == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex {
      try create(String(path[..<end]))
      if mkdir(path, 0o700) == 0 { return }
    }
    var status = stat()
    guard errno == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw HostError(.folder, "cannot create the folder `\(path)`: \(lastError())")
    }
  }

  /// `path` from the root of the file system, links resolved: guests run elsewhere.
  static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
