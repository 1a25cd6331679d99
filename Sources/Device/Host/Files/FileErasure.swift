internal import FileProtection
internal import Glibc
internal import Model

/// Deletes what an account owns in some containers while their guests may do there what they like.
///
/// It blocks, so it belongs on a thread of its own. Nothing outside the containers is touched, see
/// ``ContainerFolder``; files that vanish meanwhile are as good as deleted; what fails is reported, and the
/// rest is deleted all the same.
struct FileErasure: Sendable {
  /// A container or group folder, and which files in it are known to be the account's.
  struct Area: Sendable {
    /// Absolute.
    var root: String
    /// Raw bytes, relative to the root.
    var places: [[UInt8]]
  }

  struct Report: Equatable, Sendable {
    /// Files that were where they were known to be.
    var listed = 0
    /// Files beside those, whose sealed header names the account.
    var sealed = 0
    /// Files that are gone now.
    var erased = 0
    /// What could not be looked into or deleted, in no order.
    var errors: [ContainerError] = []

    /// The files of the account that were still there.
    var found: Int { listed + sealed }
  }

  let areas: [Area]
  let owner: Account

  /// How often an area is gone through: a guest may move a file from where nobody has looked yet to where
  /// somebody has.
  private static let passLimit = 4

  func run() -> Report {
    var report = Report()
    for area in areas {
      do throws(ContainerError) {
        let folder = try ContainerFolder(path: area.root)
        let erasure = AreaErasure(folder)
        report.listed += erasure.erase(area.places)
        report.sealed += eraseSealed(erasure)
        report.erased += erasure.erased
        report.errors += erasure.errors
      } catch {
        if !error.isMissing { report.errors.append(error) }
      }
    }
    return report
  }

  /// - Returns: how many there were.
  private func eraseSealed(_ erasure: AreaErasure) -> Int {
    var count = 0
    for _ in 0..<Self.passLimit {
      let found = erasure.sealedFiles(of: owner)
      count += erasure.erase(found)
      if found.isEmpty { break }
    }
    return count
  }
}

/// The deletion in one folder.
private final class AreaErasure {
  private let folder: ContainerFolder
  private(set) var erased = 0
  private var failures: [[UInt8]: ContainerError] = [:]
  /// Files that were not emptied because they had other names, which may be outside.
  private var linked: [ino_t: ContainerError] = [:]

  var errors: [ContainerError] { Array(failures.values) + Array(linked.values) }

  init(_ folder: ContainerFolder) { self.folder = folder }

  /// - Returns: how many of them were there.
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

  /// The files whose header names `owner`.
  func sealedFiles(of owner: Account) -> [[UInt8]] {
    var found: [[UInt8]] = []
    let unseen = folder.walk { path, kind in
      guard kind == .file else { return }
      do throws(ContainerError) {
        let stated = try folder.statedOwner(of: path)
        if stated?.isSame(as: owner) == true { found.append(path) }
      } catch {
        // What is no file any more was never one that could be opened meanwhile.
        let isGone = error.isMissing || error.code == EISDIR || error.code == ELOOP
        if !isGone { failures[path] = error }
      }
    }
    for error in unseen { failures[error.path] = error }
    return found
  }

  /// - Returns: why the content could not be taken away; nil where it was.
  private func emptying(_ path: [UInt8]) throws(ContainerError) -> ContainerError? {
    do throws(ContainerError) {
      try empty(path)
      return nil
    } catch {
      if error.isMissing { throw error }
      return error
    }
  }

  /// Takes away the content before the name: the guest may rename the file in between.
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
    // What has another name may be somebody else's who linked it here.
    if status.st_nlink > 1 {
      linked[status.st_ino] = folder.error(EMLINK, "empty", path)
    } else if ftruncate(file, 0) == 0 {
      linked[status.st_ino] = nil
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
