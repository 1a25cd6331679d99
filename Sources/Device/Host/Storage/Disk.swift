internal import Glibc

/// The file system that contains a path. The path itself may not exist yet.
struct Disk {
  /// The path, if it exists; otherwise its nearest existing parent folder.
  private let folder: String

  init(of path: String) {
    var folder = path
    var status = stat()
    while stat(folder, &status) != 0, folder != "/", folder != "." {
      folder = Self.above(folder)
    }
    self.folder = folder
  }

  var freeSpace: FreeSpace? { FreeSpace(at: folder) }

  /// The absolute path of the topmost folder on the file system.
  var mountPoint: String {
    guard let resolved = realpath(folder, nil) else { return folder }
    defer { free(resolved) }
    var path = String(cString: resolved)
    while path != "/", Self.device(of: path) == Self.device(of: Self.above(path)) {
      path = Self.above(path)
    }
    return path
  }

  private static func device(of path: String) -> dev_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_dev : nil
  }

  /// Returns the path of the folder that contains the entry.
  private static func above(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
