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
    let slash = UInt8(ascii: "/")
    guard path.count <= Self.longestPath, path.first != slash, !path.contains(0) else { return nil }
    var normal: [UInt8] = []
    normal.reserveCapacity(path.count)
    for component in path.split(separator: slash) {
      if component.elementsEqual(".".utf8) { continue }
      if component.elementsEqual("..".utf8) { return nil }
      if !normal.isEmpty { normal.append(slash) }
      normal.append(contentsOf: component)
    }
    guard !normal.isEmpty else { return nil }
    self.scope = scope
    self.path = normal
  }

  init?(scope: String, path: String) { self.init(scope: scope, path: Array(path.utf8)) }
}

extension FilePlace: CustomStringConvertible {
  /// Scope and path, for people.
  var description: String { "\(scope)/\(PathText.shown(path))" }
}
