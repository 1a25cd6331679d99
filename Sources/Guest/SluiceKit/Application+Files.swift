package import Wire

/// The app's files. Each open is decided by the host, which also fixes the owner of a file that begins: the identity of
/// the present thread where it is set, else that of the process. Windows have no say.
extension Application {
  /// The purpose for which a file is opened.
  public enum FileAccess: Sendable {
    case reading
    /// Reading and writing a file that exists.
    case updating
    /// Reading and writing a file, which is made where it is missing.
    case creating
    /// Reading and writing a file that is made, or emptied: its owner is fixed anew.
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
  ///   - path: the path relative to the container.
  ///   - group: one of the app's groups; nil for the app's own container.
  public func openFile(
    atPath path: String, for access: FileAccess, inGroup group: String? = nil,
    completion: @escaping (Result<ProtectedFile, ProtectedFileError>) -> Void
  ) {
    let file = FileReference(path, group: group ?? "")
    open(OpenFile(file, mode: access.mode), as: TaskContext.present, completion)
  }

  /// Renames a file; a file of the new name is replaced. The owner stays with the content.
  public func moveFile(
    atPath path: String, toPath target: String, inGroup group: String? = nil,
    completion: @escaping (ProtectedFileError?) -> Void
  ) {
    let group = group ?? ""
    files.move(
      FileReference(path, group: group), to: FileReference(target, group: group),
      completion: completion)
  }

  /// Removes a file of the app's container, or of the container that an app group shares.
  public func removeFile(
    atPath path: String, inGroup group: String? = nil,
    completion: @escaping (ProtectedFileError?) -> Void
  ) {
    files.remove(FileReference(path, group: group ?? ""), completion: completion)
  }

  /// Lists the names in a folder, in alphabetical order; those of folders end in `/`. The host is not asked for owners.
  ///
  /// - Parameters:
  ///   - path: the path relative to the container.
  ///   - group: one of the app's groups; nil for the app's own container.
  ///   - completion: gets the names, or the error.
  package func listFolder(
    atPath path: String, inGroup group: String? = nil,
    completion: @escaping (Result<[String], ProtectedFileError>) -> Void
  ) {
    files.list(FileReference(path, group: group ?? ""), completion: completion)
  }

  /// Opens a file for a task.
  ///
  /// - Parameter sources: numbers of the items that the file's content will have been made of.
  package func open(
    _ open: OpenFile, as task: TaskContext?, madeOf sources: [UInt64] = [],
    _ completion: @escaping (Result<ProtectedFile, ProtectedFileError>) -> Void
  ) {
    files.open(open, as: task, madeOf: sources, completion)
  }
}

extension FileReference {
  /// The path as the app named it, for errors.
  var name: String { String(decoding: path, as: UTF8.self) }

  /// The path at which this process finds the file.
  package var place: [UInt8] {
    guard !group.isEmpty else { return path }
    let container = Application.containerPath(forSecurityApplicationGroupIdentifier: group)
    return Array("\(container)/".utf8) + path
  }
}
