internal import Glibc

/// The files of the app's own container, its working folder.
enum OwnFiles {
  /// Paths of all files below a folder, in alphabetical order; links are not followed.
  ///
  /// - Parameter folder: the path of the folder; `""` for the container itself.
  static func paths(in folder: String = "") -> [String] {
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(stream) }
    var paths: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      paths += isFolder(path) ? Self.paths(in: path) : [path]
    }
    return paths.sorted()
  }

  /// Whether a folder is there. Not every file system tells that with the name (readdir(3)).
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
