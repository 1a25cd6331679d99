internal import Glibc
internal import Model

/// Deletes an account's files from containers while their guests may still change the contents.
///
/// Deletion blocks, so it must run on a separate thread. It affects nothing outside the containers, as
/// ``ContainerFolder`` ensures. Files that vanish during the deletion count as deleted. If a file cannot be deleted,
/// the failure is reported and the deletion continues.
struct FileErasure: Sendable {
  /// A folder to delete from: a container, a group folder, or a folder of synced data. It includes the paths of the
  /// files that belong to the account according to the device's records.
  struct Area: Sendable {
    var root: String
    /// Paths of the files in raw bytes, relative to the root.
    var places: [[UInt8]]
    /// Whether the area contains files that the system's own apps stored. These files do not count as found, because
    /// the app that is being wiped cannot delete them itself.
    var isSynced = false
  }

  struct Report: Equatable, Sendable {
    /// The number of files that existed in containers and groups and belonged to the account according to the device's
    /// records.
    var listed = 0
    /// The number of further files whose headers name the account as the owner.
    var sealed = 0
    var erased = 0
    /// Failures to list or delete files, in no particular order.
    var errors: [ContainerError] = []
    /// Paths of files that could not be deleted or emptied, keyed by the root of the area that contains them.
    var left: [String: Set<[UInt8]>] = [:]

    /// The number of the account's files that existed before the deletion.
    var found: Int { listed + sealed }
  }

  let areas: [Area]
  let owner: Account
  /// The current names of accounts. They are needed because headers of files may contain earlier names.
  var names = DirectoryNames(accounts: [])

  /// The maximum number of searches of an area. A guest may move a file into a folder that has already been searched,
  /// so the search is repeated until it finds nothing.
  private static let passLimit = 5

  func run() -> Report {
    var report = Report()
    let links = LinkedFiles()
    var erasures: [AreaErasure] = []
    for area in areas {
      do throws(ContainerError) {
        let erasure = AreaErasure(try ContainerFolder(path: area.root), links)
        erasures.append(erasure)
        let listed = erasure.erase(area.places)
        guard !area.isSynced else { continue }
        report.listed += listed
        report.sealed += eraseSealed(erasure)
      } catch {
        if error.isMissing { continue }
        report.errors.append(error)
        report.left[area.root] = Set(area.places)
      }
    }
    eraseOtherNames(links, erasures)
    report.erased = erasures.reduce(0) { $0 + $1.erased }
    report.errors += erasures.flatMap(\.errors) + links.errors.values
    for erasure in erasures { report.left[erasure.root, default: []].formUnion(erasure.left) }
    for error in links.errors.values {
      report.left[error.container, default: []].insert(error.path)
    }
    report.left = report.left.filter { !$0.value.isEmpty }
    return report
  }

  /// Deletes the remaining names, in all areas, of files with several names (hard links). These files were not emptied,
  /// but the content of a file is gone once its last name is deleted.
  private func eraseOtherNames(_ links: LinkedFiles, _ erasures: [AreaErasure]) {
    for _ in 0..<Self.passLimit where !links.errors.isEmpty {
      let count = erasures.reduce(0) { $0 + $1.erase($1.otherNames()) }
      if count == 0 { break }
    }
  }

  /// Searches for files whose header names the owner, and deletes them. Repeats the search until it finds nothing and
  /// no folder has changed. After ``passLimit`` searches, records an error instead.
  ///
  /// - Returns: The number of files found.
  private func eraseSealed(_ erasure: AreaErasure) -> Int {
    var count = 0
    for _ in 0..<Self.passLimit {
      let (found, isComplete) = erasure.sealedFiles(of: owner, names)
      count += erasure.erase(found)
      if found.isEmpty, isComplete { return count }
    }
    erasure.isUnsteady()
    return count
  }
}

/// Files that were not emptied because they have several names (hard links). Some of the names may be outside the
/// folders that are searched.
private final class LinkedFiles {
  var errors: [FileNumber: ContainerError] = [:]
}

private final class AreaErasure {
  private let folder: ContainerFolder
  private let links: LinkedFiles
  private(set) var erased = 0
  private var failures: [[UInt8]: ContainerError] = [:]

  var root: String { folder.path }
  var errors: [ContainerError] { Array(failures.values) }

  init(_ folder: ContainerFolder, _ links: LinkedFiles) {
    self.folder = folder
    self.links = links
  }

  var left: Set<[UInt8]> { Set(failures.keys) }

  /// Empties and deletes the files at `places`, and records failures.
  ///
  /// - Returns: The number of files that existed.
  func erase(_ places: [[UInt8]]) -> Int {
    places.count { path in
      do throws(ContainerError) {
        let kept = try emptying(path)
        try unlink(path)
        erased += 1
        failures[path] = kept
      } catch {
        if error.isMissing { return false }
        failures[path] = error
      }
      return true
    }
  }

  /// Returns the files whose header names `owner`. `isComplete` is false if a folder changed during the search, because
  /// the search may then have missed files.
  func sealedFiles(
    of owner: Account, _ names: DirectoryNames
  ) -> (found: [[UInt8]], isComplete: Bool) {
    var found: [[UInt8]] = []
    var changes = FolderChanges(folder)
    let unseen = folder.walkEntries { entry in
      changes.add(entry)
      guard entry.kind == .file else { return }
      do throws(ContainerError) {
        let stated = try folder.statedOwner(of: entry)
        if let stated, names.isOwner(owner, of: stated) { found.append(entry.path) }
      } catch {
        // If the path no longer refers to a file, no content of the account is left there.
        let isGone = error.isMissing || error.code == EISDIR || error.code == ELOOP
        if !isGone { failures[error.path] = error }
      }
    }
    for error in unseen { failures[error.path] = error }
    var after = FolderChanges(folder)
    _ = folder.walkEntries { after.add($0) }
    return (found, after == changes)
  }

  /// Records an error: folders changed during every search, so some files may not have been found.
  func isUnsteady() { failures[[]] = folder.error(EBUSY, "search", []) }

  /// Returns the paths in this folder that are other names of the files in `links`. Files with a header are not
  /// included, because the search for headers finds them.
  func otherNames() -> [[UInt8]] {
    var found: [[UInt8]] = []
    // The search for sealed files has already reported folders that cannot be listed.
    _ = folder.walkEntries { entry in
      guard entry.kind == .file, let status = entry.status else { return }
      let isLeft = links.errors[FileNumber(status)] != nil
      if isLeft, (try? folder.statedOwner(of: entry)) == nil { found.append(entry.path) }
    }
    return found
  }

  /// Empties a file. A file with several names is not emptied, but recorded in `links`.
  ///
  /// - Returns: The reason if the file could not be emptied; nil otherwise.
  /// - Throws: ``ContainerError`` if there is no such file.
  private func emptying(_ path: [UInt8]) throws(ContainerError) -> ContainerError? {
    do throws(ContainerError) {
      try empty(path)
      return nil
    } catch {
      if error.isMissing { throw error }
      return error
    }
  }

  /// Empties a file that is about to be unlinked. If a guest renames the file before it is unlinked, its content is
  /// gone anyway.
  private func empty(_ path: [UInt8]) throws(ContainerError) {
    let file: Int32
    do throws(ContainerError) {
      file = try folder.openUnlocking(path, O_WRONLY)
    } catch {
      let isNoFile = [ELOOP, ENXIO, ContainerError.notRegular].contains(error.code)
      if isNoFile { return }
      throw error
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return }
    // A file with several names may belong to another account that linked it into this folder.
    if status.st_nlink > 1 {
      links.errors[FileNumber(status)] = folder.error(EMLINK, "empty", path)
    } else if ftruncate(file, 0) == 0 {
      links.errors[FileNumber(status)] = nil
    }
  }

  private func unlink(_ path: [UInt8]) throws(ContainerError) {
    do throws(ContainerError) {
      try folder.unlink(path)
    } catch {
      guard error.code == EACCES, let above = ContainerPath(path)?.split?.folder else {
        throw error
      }
      try folder.unlock(above)
      try folder.unlink(path)
    }
  }
}

/// The times at which the folders of a container last changed (ctime). Equal values before and after a search show that
/// no folder changed in between.
private struct FolderChanges: Equatable {
  private var times: [FileNumber: Time] = [:]

  private struct Time: Equatable {
    var seconds, nanoseconds: Int
  }

  init(_ folder: ContainerFolder) { add(folder.status) }

  /// Adds an entry if it is a folder.
  mutating func add(_ entry: ContainerFolder.Entry) {
    guard entry.kind == .folder, let status = entry.status else { return }
    add(status)
  }

  private mutating func add(_ status: stat) {
    times[FileNumber(status)] = Time(
      seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
  }
}
