internal import FileProtection
internal import Glibc
internal import Model

/// The deletion of what an account owns in some containers, while their guests may do there what they like.
///
/// It blocks, so it belongs on a thread of its own. Nothing outside the containers is touched, see ``ContainerFolder``;
/// files that vanish meanwhile count as deleted; failures are reported, and the rest is deleted all the same.
struct FileErasure: Sendable {
  /// A container or group folder, and the files in it that are known to be the account's.
  struct Area: Sendable {
    /// Absolute path of the folder.
    var root: String
    /// Paths of the files in raw bytes, relative to the root.
    var places: [[UInt8]]
  }

  struct Report: Equatable, Sendable {
    /// Number of files that were where they were known to be.
    var listed = 0
    /// Number of other files, whose sealed header names the account.
    var sealed = 0
    /// Number of files that are gone now.
    var erased = 0
    /// Errors of what could not be listed or deleted, in no order.
    var errors: [ContainerError] = []
    /// Paths of what could not be deleted, by the root of their area.
    var left: [String: Set<[UInt8]>] = [:]

    /// Number of the account's files that were still there.
    var found: Int { listed + sealed }
  }

  let areas: [Area]
  let owner: Account
  /// The present names of accounts, which headers may state under earlier ones.
  let names: DirectoryNames

  init(areas: [Area], owner: Account, names: DirectoryNames = DirectoryNames(accounts: [])) {
    self.areas = areas
    self.owner = owner
    self.names = names
  }

  /// Largest number of passes over an area: a guest may move a file from a part that has not been searched yet to one
  /// that has. The last one is to find nothing.
  private static let passLimit = 5

  func run() -> Report {
    var report = Report()
    let links = LinkedFiles()
    var erasures: [AreaErasure] = []
    for area in areas {
      do throws(ContainerError) {
        let erasure = AreaErasure(try ContainerFolder(path: area.root), links)
        erasures.append(erasure)
        report.listed += erasure.erase(area.places)
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

  /// Deletes the other names, in any of the areas, of files that were not emptied; the last name of a file empties it.
  private func eraseOtherNames(_ links: LinkedFiles, _ erasures: [AreaErasure]) {
    for _ in 0..<Self.passLimit where !links.errors.isEmpty {
      let count = erasures.reduce(0) { $0 + $1.erase($1.otherNames()) }
      if count == 0 { break }
    }
  }

  /// Deletes the files whose header names the owner.
  ///
  /// - Returns: the number of files that were found.
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

/// The files that were not emptied because they had other names, which may be outside of all areas.
private final class LinkedFiles {
  var errors: [FileNumber: ContainerError] = [:]
}

/// The deletion in one folder.
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

  /// Paths of what could not be deleted.
  var left: Set<[UInt8]> { Set(failures.keys) }

  /// Deletes files.
  ///
  /// - Returns: the number of them that were there.
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

  /// The files whose header names `owner`, and whether nothing moved past the search for them: no folder has changed meanwhile.
  func sealedFiles(
    of owner: Account, _ names: DirectoryNames
  ) -> (found: [[UInt8]], isComplete: Bool) {
    var found: [[UInt8]] = []
    var changes: [[UInt8]: FolderChange] = [[]: FolderChange(folder, [])]
    let unseen = folder.walk { path, kind in
      if kind == .folder { changes[path] = FolderChange(folder, path) }
      guard kind == .file else { return }
      do throws(ContainerError) {
        let stated = try folder.statedOwner(of: path)
        if let stated, names.isOwner(owner, of: stated) { found.append(path) }
      } catch {
        // A path that names no file any more has no content of the account.
        let isGone = error.isMissing || error.code == EISDIR || error.code == ELOOP
        if !isGone { failures[path] = error }
      }
    }
    for error in unseen { failures[error.path] = error }
    return (found, changes.allSatisfy { FolderChange(folder, $0.key) == $0.value })
  }

  /// Notes that files may have been moved past every search.
  func isUnsteady() { failures[[]] = folder.error(EBUSY, "search", []) }

  /// The names, in this folder, of files that were not emptied and do not state another owner.
  func otherNames() -> [[UInt8]] {
    var found: [[UInt8]] = []
    // What cannot be looked into is known since the sealed files were looked for.
    _ = folder.walk { path, kind in
      guard kind == .file, let status = folder.status(of: path) else { return }
      let isLeft = links.errors[FileNumber(status)] != nil
      if isLeft, (try? folder.statedOwner(of: path)) == nil { found.append(path) }
    }
    return found
  }

  /// Empties a file.
  ///
  /// - Returns: the reason why it could not be emptied; nil where it was.
  private func emptying(_ path: [UInt8]) throws(ContainerError) -> ContainerError? {
    do throws(ContainerError) {
      try empty(path)
      return nil
    } catch {
      if error.isMissing { throw error }
      return error
    }
  }

  /// Removes the content before the name: the guest may rename the file in between.
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
    // A file with another name may be somebody else's, linked into this folder.
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

/// The last change of a folder's entries, or of what it is itself.
private struct FolderChange: Equatable {
  private let inode: ino_t
  private let seconds, nanoseconds: Int

  init(_ folder: ContainerFolder, _ path: [UInt8]) {
    let status = path.isEmpty ? folder.status : folder.status(of: path) ?? stat()
    inode = status.st_ino
    (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }
}
