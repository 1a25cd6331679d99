internal import SluiceKit
internal import Wire

/// Work on one file, as the host instructed the guest.
struct DrivenWork {
  private let work: FileWork
  private let task: TaskContext?
  private let application: Application

  init(_ work: FileWork, _ task: TaskContext?, _ application: Application) {
    self.work = work
    self.task = task
    self.application = application
  }

  /// Carries out the work.
  ///
  /// - Parameter done: gets the reason for a failure, or nil, and the content that was read.
  func perform(_ done: @escaping (String?, [UInt8]) -> Void) {
    switch work.kind {
    case .write: write(.truncate, done)
    case .append: write(.create, done)
    case .read: open(.read, done) { file throws(ProtectedFileError) in try file.contents() }
    case .protect:
      application.fileProtectionManager.protect(work.file, for: work.owner, as: task) { _ in
        // The outcome of the request tells of a refusal.
        done(nil, [])
      }
    case .reprotect:
      Reprotection(of: work.owner, in: application).run { done(nil, []) }
    case .protectData: protectData(done)
    case .unprotectData: unprotectData(done)
    }
  }

  private func write(
    _ mode: FileMode, _ done: @escaping (String?, [UInt8]) -> Void
  ) {
    let content = work.content
    open(mode, done) { file throws(ProtectedFileError) in
      try file.pwrite(content, at: mode == .create ? file.size() : 0)
      return []
    }
  }

  private func open(
    _ mode: FileMode, _ done: @escaping (String?, [UInt8]) -> Void,
    _ body: @escaping (ProtectedFile) throws(ProtectedFileError) -> [UInt8]
  ) {
    application.open(OpenFile(work.file, mode: mode), as: task) { result in
      switch result {
      // The outcome of the request tells of a refusal by the host.
      case .failure(let error) where error.code == .decryptFailed || error.code == .internal:
        done(error.description, [])
      case .failure: done(nil, [])
      case .success(let file):
        defer { file.close() }
        do throws(ProtectedFileError) {
          done(nil, try body(file))
        } catch {
          done(error.description, [])
        }
      }
    }
  }

  // MARK: data

  private func protectData(_ done: @escaping (String?, [UInt8]) -> Void) {
    let file = work.file
    application.dataProtectionManager.protect(work.content, accountId: work.owner) { result in
      switch result {
      // The outcome of the request tells of a refusal by the host.
      case .failure(let error) where error.code == .identityNotManaged: done(nil, [])
      case .failure(let error): done(error.description, [])
      case .success(let bytes):
        done(RawFile(file).write(bytes) ? nil : "the file cannot be written", [])
      }
    }
  }

  private func unprotectData(_ done: @escaping (String?, [UInt8]) -> Void) {
    guard let bytes = RawFile(work.file).read() else {
      return done("the file cannot be read", [])
    }
    application.dataProtectionManager.unprotect(bytes, as: task) { result in
      switch result {
      case .failure(let error)
      where error.code == .identityNotManaged || error.code == .decryptFailed:
        done(nil, [])
      case .failure(let error): done(error.description, [])
      case .success(let bytes): done(nil, bytes)
      }
    }
  }
}
