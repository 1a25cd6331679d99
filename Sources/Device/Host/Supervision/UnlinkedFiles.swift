internal import Glibc

/// Files without a name that processes hold open: they take room on the disk that no folder shows.
///
/// Looked at are this process's descendants, as far as the system lets it (proc_pid_fd(5), proc_tid_children(5)).
struct UnlinkedFiles {
  /// Path of the folder below which the files were when they still had a name, links resolved.
  private let root: String
  private var counted: Set<FileNumber> = []
  private var usages: [String: DiskUsage] = [:]

  private init(below root: String) { self.root = root.hasSuffix("/") ? root : "\(root)/" }

  /// The room that such files take, by the scopes of the containers that they were in.
  static func usages(below root: String) -> [String: DiskUsage] {
    var search = UnlinkedFiles(below: root)
    for process in ProcessFolder.descendants() { search.count(process) }
    return search.usages
  }

  private mutating func count(_ process: ProcessFolder) {
    for file in process.openFiles {
      var status = stat()
      guard stat(file, &status) == 0, status.st_nlink == 0,
        ContainerFolder.Kind(mode: status.st_mode) == .file,
        let scope = scope(of: Self.target(of: file)),
        counted.insert(FileNumber(status)).inserted
      else { continue }
      usages[scope, default: DiskUsage()] =
        usages[scope, default: DiskUsage()]
        + DiskUsage(bytes: status.allocatedBytes, files: 1)
    }
  }

  /// The container that a path below the root leads into; nil for any other path.
  private func scope(of path: String) -> String? {
    guard path.hasPrefix(root) else { return nil }
    let parts = path.dropFirst(root.count).split(separator: "/", maxSplits: 2)
    return parts.count == 3 ? "\(parts[0])/\(parts[1])" : nil
  }

  private static func target(of link: String) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
