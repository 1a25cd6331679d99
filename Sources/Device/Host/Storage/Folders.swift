internal import Glibc

/// The places below a device's folder where the device keeps its data.
struct Folders {
  let root: String

  var database: String { "\(root)/device.sqlite" }
  var journal: String { "\(root)/journal.jsonl" }
  /// The certificate of the organisation's authority, for apps that reach its servers.
  var organizationCertificate: String { "\(root)/organization.pem" }

  /// Path of an app's or extension's container, relative to the device's folder.
  static func scope(ofContainer app: String) -> String { "Containers/\(app)" }
  /// Path of an app group's container, relative to the device's folder.
  static func scope(ofGroup group: String) -> String { "Groups/\(group)" }

  /// Path of the container of an app or extension.
  func container(_ app: String) -> String { "\(root)/\(Self.scope(ofContainer: app))" }

  /// Folder of the data that apps hand to the system, with a folder for each printer and storage location.
  var outlet: String { "\(root)/System" }

  /// Path of the shared container of an app group.
  func group(_ group: String) -> String { "\(root)/\(Self.scope(ofGroup: group))" }

  /// Folders with the data of apps and their users.
  var content: [String] { ["\(root)/Containers", "\(root)/Groups", outlet] }

  /// Checks that the folder's entries are those that the device has made: no link that leads elsewhere, and no pipe
  /// that nobody writes to.
  ///
  /// - Throws: ``HostError`` that names the entry that is not.
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

  /// Makes the container at `path`, unless it is there.
  ///
  /// - Throws: ``HostError`` with the system's reason, or where something else is in the container's place, such as a
  ///   link.
  func createContainer(_ path: String) throws(HostError) {
    try Self.check(path, is: S_IFDIR, called: "folder")
    try Self.create(path)
  }

  /// Makes a folder and those above it, unless they are there.
  ///
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
