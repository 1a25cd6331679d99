internal import Glibc

/// The room that is left on a file system for processes without privileges (statvfs(3)).
struct FreeSpace: Sendable, Equatable {
  var bytes: Int
  /// Number of files and folders that can still be made; 0 also where the file system sets no number.
  var files: Int

  init(bytes: Int, files: Int) {
    self.bytes = bytes
    self.files = files
  }

  /// The room at `path`; nil where the system does not tell.
  init?(at path: String) {
    var found = statvfs()
    guard statvfs(path, &found) == 0 else { return nil }
    let (bytes, isTooMany) = UInt64(found.f_bavail)
      .multipliedReportingOverflow(by: UInt64(found.f_frsize))
    self.bytes = isTooMany ? Int.max : Int(clamping: bytes)
    files = Int(clamping: UInt64(found.f_favail))
  }
}
