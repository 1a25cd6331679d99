internal import Glibc

extension ContainerFolder {
  /// The room that everything below the folder takes; a file with several names here counts once. Folders that their
  /// guest has closed are opened again: nothing hides in them.
  ///
  /// - Parameter limit: the number of entries after which no more are counted.
  func usage(countingUpTo limit: Int) -> DiskUsage {
    var usage = DiskUsage()
    var linked: Set<FileNumber> = []
    let errors = walk(until: { usage.files >= limit }) { path, _ in
      guard usage.files < limit, let status = status(of: path) else { return }
      let isFolder = Kind(mode: status.st_mode) == .folder
      if !isFolder, status.st_nlink > 1, !linked.insert(FileNumber(status)).inserted { return }
      usage.files += 1
      usage.bytes += status.allocatedBytes
    }
    usage.unseen = errors.count { $0.code == ENAMETOOLONG }
    return usage
  }
}

/// The number that a file has whatever its names are.
struct FileNumber: Hashable {
  private let device: UInt64
  private let number: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}

extension stat {
  /// Bytes that the file takes on the disk: blocks of 512 bytes, whatever those of the file system are (stat(3type)).
  var allocatedBytes: Int { Int(st_blocks) * 512 }
}
