internal import Glibc

/// The files of apps and groups on disk, and the changes to them since the last look.
struct WalkScan {
  /// The device's folder.
  let folder: String
  private var known: [String: Stamp] = [:]

  init(folder: String) { self.folder = folder }

  private struct Stamp: Equatable {
    var inode: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int

    init(_ status: stat) {
      inode = status.st_ino
      size = status.st_size
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  /// The paths of all files, relative to the device's folder.
  var files: Set<String> { Set(known.keys) }

  /// Looks at every file.
  ///
  /// - Returns: the paths of files that are new or have changed, relative to the device's folder.
  mutating func look() -> [String] {
    var found: [String: Stamp] = [:]
    var changed: [String] = []
    for root in ["Containers", "Groups"] {
      walk(root) { path, stamp in
        if known[path] != stamp { changed.append(path) }
        found[path] = stamp
      }
    }
    known = found
    return changed.sorted()
  }

  private func walk(_ path: String, _ visit: (String, Stamp) -> Void) {
    guard let stream = opendir("\(folder)/\(path)") else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let file = "\(path)/\(name)"
      var status = stat()
      guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        walk(file, visit)
      } else {
        visit(file, Stamp(status))
      }
    }
  }
}
