internal import Glibc

/// The room that files take which the device puts into containers.
extension FileBroker {
  /// Counts a file that is about to come to a place.
  ///
  /// - Throws: ``FileFault`` that names what was found and what is allowed, where the container is full.
  func admit(_ more: DiskUsage, to place: FilePlace) throws(FileFault) {
    do throws(DiskExcess) {
      try disk.admit(more, to: place.scope)
    } catch {
      throw FileFault(error, place)
    }
  }

  /// The room that a file takes; a folder counts without what is in it.
  func usage(of place: FilePlace) throws(FileFault) -> DiskUsage {
    let status = try container(of: place).status(of: place.path)
    return DiskUsage(bytes: status?.allocatedBytes ?? 0, files: 1)
  }
}
