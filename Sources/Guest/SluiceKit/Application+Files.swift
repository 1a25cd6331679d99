package import Wire

/// The app's files. Each open is decided by the host, which also fixes the owner of a file that begins: the identity of
/// the present thread where it is set, else that of the process. Windows have no say.
extension Application {
  /// What a file is opened for.
  public enum FileAccess: Sendable {
    case reading
    /// Reading and writing a file that exists.
    case updating
    /// The same; made where it is missing.
    case creating
    /// Made, or emptied: its owner is fixed anew.
    case truncating

    var mode: FileMode {
      switch self {
      case .reading: .read
      case .updating: .update
      case .creating: .create
      case .truncating: .truncate
      }
    }
  }

  /// Opens a file of the app's container, or of the container that an app group shares.
  ///
  /// - Parameters:
  ///   - path: relative to the container.
  ///   - group: one of the app's groups; nil: the app's own container.
  public func openFile(
    atPath path: String, for access: FileAccess, inGroup group: String? = nil,
    completion: @escaping (Result<ProtectedFile, ProtectedFileError>) -> Void
  ) {
    let file = FileReference(path, group: group ?? "")
    open(OpenFile(file, mode: access.mode), as: presentTask, completion)
  }

  /// Renames a file; one that has the new name is replaced. The owner goes along.
  public func moveFile(
    atPath path: String, toPath target: String, inGroup group: String? = nil,
    completion: @escaping (ProtectedFileError?) -> Void
  ) {
    let group = group ?? ""
    let move = GuestMessage.Body.moveFile(
      FileReference(path, group: group), to: FileReference(target, group: group))
    request(move) { completion(ProtectedFileError($0, path)) }
  }

  public func removeFile(
    atPath path: String, inGroup group: String? = nil,
    completion: @escaping (ProtectedFileError?) -> Void
  ) {
    request(.removeFile(FileReference(path, group: group ?? ""))) {
      completion(ProtectedFileError($0, path))
    }
  }

  /// For whom the present thread acts, where it says so.
  var presentTask: TaskContext? {
    ThreadIdentity.current.accountID.map { TaskContext(thread: $0) }
  }

  package func open(
    _ open: OpenFile, as task: TaskContext?,
    _ completion: @escaping (Result<ProtectedFile, ProtectedFileError>) -> Void
  ) {
    let path = String(decoding: open.file.path, as: UTF8.self)
    request(.openFile(open), as: task) { outcome in
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
}

extension FileReference {
  /// Where this process finds it.
  package var place: [UInt8] {
    guard !group.isEmpty else { return path }
    let container = Application.containerPath(forSecurityApplicationGroupIdentifier: group)
    return Array("\(container)/".utf8) + path
  }
}
