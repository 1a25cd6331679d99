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

  /// Looks whether what is there is what the device has made: no link that leads elsewhere, and no pipe that nobody writes
  /// to.
  ///
  /// - Throws: ``HostError`` that names what is not.
  func check() throws(HostError) {
    let files = [database, "\(database)-wal", "\(database)-shm", "\(database)-journal", journal]
    for file in files + [organizationCertificate] {
      try Self.check(file, is: S_IFREG, called: "file")
    }
    for folder in content { try Self.check(folder, is: S_IFDIR, called: "folder") }
  }

  private static func check(
    _ path: String, is kind: mode_t, called name: String
  ) throws(HostError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != kind else { return }
    throw HostError(.folder, "the device's folder is damaged: `\(path)` is no \(name)")
  }

  /// Makes the container of an app, unless it is there.
  ///
  /// - Throws: ``HostError`` with the system's reason, or where something else is in its place, such as a link.
  func createContainer(_ path: String) throws(HostError) {
    try Self.check(path, is: S_IFDIR, called: "folder")
    try Self.create(path)
  }

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
