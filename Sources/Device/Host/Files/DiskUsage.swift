/// The room that files take on a disk.
struct DiskUsage: Sendable, Equatable {
  /// Allocated bytes, which may be fewer than a file's size, or more.
  var bytes = 0
  /// Number of files and folders, links and pipes included.
  var files = 0
  /// Number of folders that are too deep in others to be looked into.
  var unseen = 0

  static func + (one: DiskUsage, other: DiskUsage) -> DiskUsage {
    DiskUsage(
      bytes: one.bytes + other.bytes, files: one.files + other.files,
      unseen: one.unseen + other.unseen)
  }
}
