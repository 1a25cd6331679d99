internal import SluiceKit
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
