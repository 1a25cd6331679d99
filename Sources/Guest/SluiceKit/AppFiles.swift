internal import Wire

/// The files of the app's containers, and temporary files.
///
/// The host decides on each file that is opened, moved or removed, and states the owner.
final class AppFiles {
  let host: any HostPort
  /// The number of temporary files so far.
  private var temporaryFiles = 0

  init(_ host: any HostPort) { self.host = host }

  /// - Parameter sources: numbers of the items that the file's content will have been made of.
  func open(
    _ open: OpenFile, as task: TaskContext?, madeOf sources: [UInt64] = [],
    _ completion: @escaping (Result<ProtectedFile, ProtectedFileError>) -> Void
  ) {
    let path = open.file.name
    host.request(.openFile(open), as: task, madeOf: sources) { outcome in
      if let error = ProtectedFileError(outcome, path) { return completion(.failure(error)) }
      do throws(ProtectedFileError) {
        completion(
          .success(
            try ProtectedFile(
              opening: open.file.place, path: path, mode: open.mode,
              grant: outcome.file ?? FileGrant())))
      } catch {
        completion(.failure(error))
      }
    }
  }

  func move(
    _ file: FileReference, to target: FileReference,
    completion: @escaping (ProtectedFileError?) -> Void
  ) {
    host.request(.moveFile(file, to: target)) { completion(ProtectedFileError($0, file.name)) }
  }

  func remove(_ file: FileReference, completion: @escaping (ProtectedFileError?) -> Void) {
    host.request(.removeFile(file)) { completion(ProtectedFileError($0, file.name)) }
  }

  // MARK: temporary files

  /// Puts `bytes` in a file of the app's own container, which is removed when `body` has returned.
  ///
  /// - Parameters:
  ///   - name: the end of the file's name, without folders.
  ///   - owner: a UPN; `""` for no owner.
  ///   - body: gets the file, open for reading; nil where it could not be made.
  func withTemporaryFile(
    _ bytes: [UInt8], named name: String, owner: String, _ body: @escaping (LoadedFile?) -> Void
  ) {
    temporaryFiles += 1
    let path = "tmp/\(temporaryFiles)-\(name)"
    write(bytes, atPath: path, owner: owner) { [self] file in
      body(file)
      remove(FileReference(path)) { _ in }
    }
  }

  private func write(
    _ bytes: [UInt8], atPath path: String, owner: String, done: @escaping (LoadedFile?) -> Void
  ) {
    open(OpenFile(FileReference(path), mode: .truncate, owner: owner), as: nil) { [self] file in
      guard case .success(let file) = file else { return done(nil) }
      let isWritten = (try? file.write(bytes)) != nil
      file.close()
      guard isWritten else { return done(nil) }
      open(OpenFile(FileReference(path), mode: .read), as: nil) { file in
        done((try? file.get()).map { LoadedFile(path: path, file: $0) })
      }
    }
  }
}
