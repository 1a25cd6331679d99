internal import FileProtection
internal import Glibc
internal import Model
internal import SluiceKit
internal import Synchronization
internal import Wire

/// Performs a file operation that the host requested from the ready-made guest.
struct DrivenWork {
  struct WorkResult {
    /// The reason why the operation failed. Nil on success, and nil if the device's response already states the reason.
    var failure: String?
    var content: [UInt8] = []
    /// The device's item number for the content that was read; 0 if there is none.
    var item: UInt64 = 0
  }

  private let work: FileWork
  private let task: TaskContext?
  private let application: Application
  private let sources: [UInt64]

  /// Prepares the file operation `work`, which acts for the identity of `task`.
  ///
  /// - Parameter sources: The item numbers of the sources of the content to be written.
  init(
    _ work: FileWork, _ task: TaskContext?, _ application: Application, madeOf sources: [UInt64]
  ) {
    self.work = work
    self.task = task
    self.application = application
    self.sources = sources
  }

  func perform(_ done: @escaping (WorkResult) -> Void) {
    switch work.kind {
    case .write: write(.truncating, done)
    case .append: write(.creating, done)
    case .read: open(.reading, done) { file throws(ProtectedFileError) in try file.contents() }
    case .protect:
      application.fileProtectionManager.protect(work.file, for: work.owner, as: task) { _ in
        // The request's outcome already states a refusal.
        done(WorkResult())
      }
    case .reprotect:
      Reprotection(of: work.owner, in: application).run { done(WorkResult()) }
    case .protectData: protectData(done)
    case .unprotectData: unprotectData(done)
    }
  }

  private func write(
    _ mode: FileMode, _ done: @escaping (WorkResult) -> Void
  ) {
    let content = work.content
    open(mode, done) { file throws(ProtectedFileError) in
      try file.pwrite(content, at: mode == .creating ? file.size() : 0)
      return []
    }
  }

  private func open(
    _ mode: FileMode, _ done: @escaping (WorkResult) -> Void,
    _ body: @escaping (ProtectedFile) throws(ProtectedFileError) -> [UInt8]
  ) {
    application.files.open(OpenFile(work.file, mode: mode), as: task, madeOf: sources) { result in
      switch result {
      case .failure(let error):
        switch error.code {
        case .encryptFailed, .decryptFailed, .internal: done(WorkResult(failure: error.description))
        // The request's outcome already states a refusal by the host.
        default: done(WorkResult())  // open: the SDK's other codes
        }
      case .success(let file):
        defer { file.close() }
        do throws(ProtectedFileError) {
          done(WorkResult(content: try body(file), item: file.item))
        } catch {
          done(WorkResult(failure: error.description))
        }
      }
    }
  }

  // MARK: Data

  private func protectData(_ done: @escaping (WorkResult) -> Void) {
    let file = work.file
    application.dataProtectionManager.protect(work.content, accountId: work.owner) { result in
      switch result {
      // The request's outcome already states a refusal by the host.
      case .failure(let error) where error.code == .identityNotManaged: done(WorkResult())
      case .failure(let error): done(WorkResult(failure: error.description))
      case .success(let bytes):
        done(WorkResult(failure: RawFile(file).write(bytes) ? nil : "the file cannot be written"))
      }
    }
  }

  private func unprotectData(_ done: @escaping (WorkResult) -> Void) {
    guard let bytes = RawFile(work.file).read() else {
      return done(WorkResult(failure: "the file cannot be read"))
    }
    application.dataProtectionManager.unprotect(bytes, as: task) { result in
      switch result {
      case .failure(let error)
      where error.code == .identityNotManaged || error.code == .decryptFailed:
        done(WorkResult())
      case .failure(let error): done(WorkResult(failure: error.description))
      case .success(let bytes): done(WorkResult(content: bytes))
      }
    }
  }
}

/// Rewrites an account's files after its policy has changed. The app must do so if the policy now requires encryption
/// or no longer does.
private struct Reprotection {
  private let accountId: String
  private let application: Application

  init(of accountId: String, in application: Application) {
    self.accountId = accountId
    self.application = application
  }

  func run(_ done: @escaping () -> Void) { protect(OwnFiles.paths()[...], done) }

  /// Protects the files one after the other, because each needs a query and a copy.
  private func protect(_ paths: ArraySlice<String>, _ done: @escaping () -> Void) {
    guard let path = paths.first else { return done() }
    let rest = paths.dropFirst()
    application.fileProtectionManager.protectionInfo(path) { owner in
      guard case .success(let owner?) = owner,
        Account(upn: owner.accountId).matches(identifier: accountId)
      else {
        return protect(rest, done)
      }
      let task = TaskContext(thread: accountId)
      application.fileProtectionManager.protect(FileReference(path), for: accountId, as: task) {
        _ in protect(rest, done)
      }
    }
  }
}

/// The reaction of the ready-made guest to the wipe of an account.
final class DrivenWipe: IntuneMAMPolicyDelegate {
  private let behaviour = Mutex(WipeBehaviour.failed)

  func behave(_ behaviour: WipeBehaviour) { self.behaviour.withLock { $0 = behaviour } }

  func wipeData(forAccountId accountId: String) -> Bool {
    switch behaviour.withLock({ $0 }) {
    case .failed: return false
    case .lie: return true
    case .crash: abort()
    case .hang: while true { sleep(60) }
    case .success:
      for path in OwnFiles.paths()
      where ProtectionHeader(ofFile: Array(path.utf8))?.owner.matches(identifier: accountId) == true
      {
        unlink(path)
      }
      return true
    }
  }
}

/// The files in the app's own container. The container is the working directory of the process.
private enum OwnFiles {
  /// Returns the paths of all files in `folder` and its subfolders, in alphabetical order. An empty `folder` is the
  /// container. Symbolic links are not followed.
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

  /// Returns whether the path is a folder. `d_type` (readdir(3)) does not suffice, because not every file system sets
  /// it.
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// A file that is read and written as it is on disk, without a request to the host.
private struct RawFile {
  private let place: String

  init(_ file: FileReference) { place = String(decoding: file.place, as: UTF8.self) }

  /// Returns the file's content; nil if it cannot be read.
  func read() -> [UInt8]? {
    guard let file = fopen(place, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  /// Replaces the file's content. Returns false if it could not be written in full.
  func write(_ bytes: [UInt8]) -> Bool {
    guard let file = fopen(place, "we") else { return false }
    let written = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && written == bytes.count
  }
}
