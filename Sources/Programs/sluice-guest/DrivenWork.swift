internal import FileProtection
internal import Glibc
internal import Model
internal import SluiceKit
internal import Synchronization
internal import Wire

/// Work on one file, as the host instructed the guest.
struct DrivenWork {
  /// What came of the work.
  struct Finding {
    /// The reason for a failure; nil where there was none, or the outcome of the request tells.
    var failure: String?
    /// The content that was read.
    var content: [UInt8] = []
    /// The number under which the device knows the content of the file that was opened; 0 where none was.
    var item: UInt64 = 0
  }

  private let work: FileWork
  private let task: TaskContext?
  private let application: Application
  private let sources: [UInt64]

  /// - Parameter sources: numbers of the items that what is written was made of.
  init(
    _ work: FileWork, _ task: TaskContext?, _ application: Application, madeOf sources: [UInt64]
  ) {
    self.work = work
    self.task = task
    self.application = application
    self.sources = sources
  }

  /// Carries out the work.
  func perform(_ done: @escaping (Finding) -> Void) {
    switch work.kind {
    case .write: write(.truncate, done)
    case .append: write(.create, done)
    case .read: open(.read, done) { file throws(ProtectedFileError) in try file.contents() }
    case .protect:
      application.fileProtectionManager.protect(work.file, for: work.owner, as: task) { _ in
        // The outcome of the request tells of a refusal.
        done(Finding())
      }
    case .reprotect:
      Reprotection(of: work.owner, in: application).run { done(Finding()) }
    case .protectData: protectData(done)
    case .unprotectData: unprotectData(done)
    }
  }

  private func write(
    _ mode: FileMode, _ done: @escaping (Finding) -> Void
  ) {
    let content = work.content
    open(mode, done) { file throws(ProtectedFileError) in
      try file.pwrite(content, at: mode == .create ? file.size() : 0)
      return []
    }
  }

  private func open(
    _ mode: FileMode, _ done: @escaping (Finding) -> Void,
    _ body: @escaping (ProtectedFile) throws(ProtectedFileError) -> [UInt8]
  ) {
    application.open(OpenFile(work.file, mode: mode), as: task, madeOf: sources) { result in
      switch result {
      // The outcome of the request tells of a refusal by the host.
      case .failure(let error) where error.code == .decryptFailed || error.code == .internal:
        done(Finding(failure: error.description))
      case .failure: done(Finding())
      case .success(let file):
        defer { file.close() }
        do throws(ProtectedFileError) {
          done(Finding(content: try body(file), item: file.item))
        } catch {
          done(Finding(failure: error.description))
        }
      }
    }
  }

  // MARK: data

  private func protectData(_ done: @escaping (Finding) -> Void) {
    let file = work.file
    application.dataProtectionManager.protect(work.content, accountId: work.owner) { result in
      switch result {
      // The outcome of the request tells of a refusal by the host.
      case .failure(let error) where error.code == .identityNotManaged: done(Finding())
      case .failure(let error): done(Finding(failure: error.description))
      case .success(let bytes):
        done(Finding(failure: RawFile(file).write(bytes) ? nil : "the file cannot be written"))
      }
    }
  }

  private func unprotectData(_ done: @escaping (Finding) -> Void) {
    guard let bytes = RawFile(work.file).read() else {
      return done(Finding(failure: "the file cannot be read"))
    }
    application.dataProtectionManager.unprotect(bytes, as: task) { result in
      switch result {
      case .failure(let error)
      where error.code == .identityNotManaged || error.code == .decryptFailed:
        done(Finding())
      case .failure(let error): done(Finding(failure: error.description))
      case .success(let bytes): done(Finding(content: bytes))
      }
    }
  }
}

/// Protects the files of an account again, as an app has to when the account's policy asks for another storage.
private struct Reprotection {
  private let accountId: String
  private let application: Application

  init(of accountId: String, in application: Application) {
    self.accountId = accountId
    self.application = application
  }

  /// Protects all files.
  ///
  /// - Parameter done: called when every file has been looked at.
  func run(_ done: @escaping () -> Void) { protect(OwnFiles.paths()[...], done) }

  /// Protects one file after the other: each takes a question and a copy.
  private func protect(_ paths: ArraySlice<String>, _ done: @escaping () -> Void) {
    guard let path = paths.first else { return done() }
    let rest = paths.dropFirst()
    application.fileProtectionManager.protectionInfo(path) { owner in
      guard case .success(let owner?) = owner, Account(upn: owner.accountId).isNamed(accountId)
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

/// The behaviour of the ready-made guest when an account is to be wiped.
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
      for path in OwnFiles.paths() where Self.owner(of: path)?.isNamed(accountId) == true {
        unlink(path)
      }
      return true
    }
  }

  /// The owner that a file states; nil where it states none.
  private static func owner(of path: String) -> Account? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var page = [UInt8](repeating: 0, count: ProtectionHeader.pageSize)
    let count = fread(&page, 1, page.count, file)
    page.removeLast(page.count - count)
    return (try? ProtectionHeader(page))?.owner
  }
}

/// The files of the app's own container, its working folder.
private enum OwnFiles {
  /// Paths of all files below a folder, in alphabetical order; links are not followed.
  ///
  /// - Parameter folder: the path of the folder; `""` for the container itself.
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

  /// Whether a folder is there. Not every file system tells that with the name (readdir(3)).
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// A file as it is on the disk, without a request to the host.
private struct RawFile {
  private let place: String

  init(_ file: FileReference) { place = String(decoding: file.place, as: UTF8.self) }

  /// The content; nil where it cannot be read.
  func read() -> [UInt8]? {
    guard let file = fopen(place, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  /// Replaces the content; returns whether all of it was written.
  func write(_ bytes: [UInt8]) -> Bool {
    guard let file = fopen(place, "we") else { return false }
    let written = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && written == bytes.count
  }
}
