/// The place of a file as the device knows it: the folder, and the path below that.
struct FilePlace: Hashable, Sendable {
  /// Path of the folder, relative to the device's own, such as `Containers/notes` or `Groups/group.com.example`.
  let scope: String
  /// Path relative to the scope, normalised: neither empty nor absolute, without empty, `.` and `..` components. Bytes,
  /// not text: a file name on Linux is any bytes but `/` and NUL.
  let path: [UInt8]

  /// Longest path in bytes: `PATH_MAX` of Linux.
  static let longestPath = 4096

  /// Normalises a path; nil where it is empty, absolute or too long, or leads to the scope itself or out of it.
  init?(scope: String, path: some Collection<UInt8>) {
    guard path.count <= Self.longestPath, let path = ContainerPath(Array(path)), !path.bytes.isEmpty
    else { return nil }
    self.scope = scope
    self.path = path.bytes
  }

  init?(scope: String, path: String) { self.init(scope: scope, path: Array(path.utf8)) }
}

extension FilePlace: CustomStringConvertible {
  /// Scope and path, for people.
  var description: String { "\(scope)/\(PathText.shown(path))" }
}
