internal import Glibc
internal import Model

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

  /// Makes room for the row that says whose the file at `place` is. A container has as many as it may have files; those
  /// of files that the guest has removed without a word to the device are dropped, some with each new one.
  ///
  /// - Throws: ``FileFault`` where there is no room, or the database fails.
  func admitOwner(of place: FilePlace) throws(FileFault) {
    let limit = disk.mostFiles
    let count = try stored { () throws(HostError) in try database.ownerCount(in: place.scope) }
    guard count >= limit / 2,
      !(try stored { () throws(HostError) in try database.hasOwner(place) })
    else { return }
    let gone = try forgetMissingFiles(
      of: place.scope, among: count < limit ? Self.lookedAt : Self.lookedAtWhenFull)
    guard count - gone >= limit else { return }
    throw FileFault(
      status: FileFault.internalError,
      "cannot create `\(place)`: the device keeps the owners of \(count) files there, the most that it may"
    )
  }

  /// Rows that are looked at with each new row: all of them before the second half is full.
  private static let lookedAt = 4
  private static let lookedAtWhenFull = 64

  /// Forgets the owners of files that are gone, among the next rows of the scope.
  ///
  /// - Returns: the number of files.
  private func forgetMissingFiles(of scope: String, among limit: Int) throws(FileFault) -> Int {
    try stored { () throws(HostError) in
      let places = try database.ownedPlaces(
        in: scope, after: lastLookedAt[scope] ?? [], limit: limit)
      lastLookedAt[scope] = places.count < limit ? nil : places.last?.path
      let folder = try? ContainerFolder(path: "\(folders.root)/\(scope)")
      let gone = places.filter { place in
        // What cannot be looked at may be there.
        (try? folder?.kind(of: place.path)) == .missing
      }
      if !gone.isEmpty { try database.forgetFiles(gone) }
      return gone.count
    }
  }
}
