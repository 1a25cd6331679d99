internal import Glibc
public import Wire

/// The app's files. The host decides on each open and determines the owner of a new file.
///
/// A new file's owner is the identity of the current thread or, if the thread has none, of the
/// process. Window identities are ignored.
extension Application {
  /// Opens a file in the app's container or in an app group's container.
  ///
  /// - Parameters:
  ///   - path: The path relative to the container.
  ///   - group: One of the app's groups; nil for the app's own container.
  public func openFile(
    atPath path: String, for mode: FileMode, inGroup group: String? = nil,
    completion: @escaping (Result<ProtectedFile, ProtectedFileError>) -> Void
  ) {
    let file = FileReference(path, group: group ?? "")
    files.open(OpenFile(file, mode: mode), as: TaskContext.present, completion)
  }

  /// Renames a file, and replaces any file at the new path. The content keeps its owner.
  ///
  /// - Parameter group: One of the app's groups; nil for the app's own container.
  public func moveFile(
    atPath path: String, toPath target: String, inGroup group: String? = nil,
    completion: @escaping (ProtectedFileError?) -> Void
  ) {
    let group = group ?? ""
    files.move(
      FileReference(path, group: group), to: FileReference(target, group: group),
      completion: completion)
  }

  /// Removes a file from the app's container or from an app group's container.
  ///
  /// - Parameter group: One of the app's groups; nil for the app's own container.
  public func removeFile(
    atPath path: String, inGroup group: String? = nil,
    completion: @escaping (ProtectedFileError?) -> Void
  ) {
    files.remove(FileReference(path, group: group ?? ""), completion: completion)
  }
}

extension FileReference {
  /// The path as the app gave it, for error messages.
  fileprivate var name: String { String(decoding: path, as: UTF8.self) }

  /// The path of the file in this process's file system.
  package var place: [UInt8] {
    guard !group.isEmpty else { return path }
    let container = Application.containerPath(forSecurityApplicationGroupIdentifier: group)
    return Array("\(container)/".utf8) + path
  }
}

/// Access to the containers of an app and its extensions. A process's working directory is its own
/// container.
extension Application {
  /// Returns the path of an app group's container
  /// (`FileManager.containerURL(forSecurityApplicationGroupIdentifier:)`).
  ///
  /// - Parameter group: One of the `com.apple.security.application-groups` in the entitlements. The
  ///   containers of other groups are inaccessible.
  public static func containerPath(forSecurityApplicationGroupIdentifier group: String) -> String {
    "../../Groups/\(group)"
  }
}

// MARK: - Requests about files

/// The files in the app's containers, and its temporary files.
///
/// The host decides on each open, move and removal, and reports the owner.
package final class AppFiles {
  private let host: any HostPort
  private var temporaryFiles = 0

  init(_ host: any HostPort) { self.host = host }

  /// Asks the host to open a file, and passes the open file or the error to `completion`.
  ///
  /// - Parameter sources: The numbers of the items from which the file's content will be made.
  package func open(
    _ open: OpenFile, as task: TaskContext?, madeOf sources: [UInt64] = [],
    _ completion: @escaping (Result<ProtectedFile, ProtectedFileError>) -> Void
  ) {
    let path = open.file.name
    host.request(.openFile(open), as: task, madeOf: sources) { outcome in
      do throws(ProtectedFileError) {
        completion(
          .success(
            try ProtectedFile(
              opening: open.file.place, path: path, mode: open.mode,
              grant: try outcome.grant(for: path))))
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

  // MARK: Temporary files

  /// Writes `bytes` to a temporary file in the app's own container, and passes the file to `body`. Removes the file
  /// after `body` returns.
  ///
  /// - Parameters:
  ///   - name: The suffix of the file name, without folders.
  ///   - owner: The owner's UPN; `""` for no owner.
  ///   - body: Receives the file, open for reading; nil if it could not be created.
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
    open(OpenFile(FileReference(path), mode: .truncating, owner: owner), as: nil) { [self] file in
      guard case .success(let file) = file else { return done(nil) }
      let isWritten = (try? file.write(bytes)) != nil
      file.close()
      guard isWritten else { return done(nil) }
      open(OpenFile(FileReference(path), mode: .reading), as: nil) { file in
        done((try? file.get()).map { LoadedFile(path: path, file: $0) })
      }
    }
  }
}

// MARK: - Folders

extension AppFiles {
  /// Lists the names in a folder in alphabetical order; folder names end in `/`. This process reads the names itself,
  /// without the files' owners.
  ///
  /// - Parameter completion: Receives the names or the error. If the folder cannot be read, the host supplies the
  ///   reason.
  package func list(
    _ folder: FileReference,
    completion: @escaping (Result<[String], ProtectedFileError>) -> Void
  ) {
    if let names = folder.names { return completion(.success(names)) }
    let unreadable = ProtectedFileError.system("list", folder.name)
    host.request(.openFile(.question(about: folder)), as: TaskContext.present) { outcome in
      completion(.failure(Self.failure(outcome, folder.name) ?? unreadable))
    }
  }

  /// Returns the reason why a folder cannot be listed, from the host's answer to a query about the path. Returns nil if
  /// the path is an existing folder.
  private static func failure(_ outcome: RequestOutcome, _ path: String) -> ProtectedFileError? {
    guard let error = ProtectedFileError(outcome, path) else {
      return ProtectedFileError(.invalidArguments, "`\(path)` is not a folder")
    }
    if error.code == .isFolder { return nil }
    if error.code == .fileNotFound {
      return ProtectedFileError(.fileNotFound, "there is no folder `\(path)`")
    }
    return error
  }
}

extension FileReference {
  /// The names in the folder; nil if it cannot be read, or if its path could lead out of the container.
  fileprivate var names: [String]? {
    guard staysInside, let stream = opendir(String(decoding: place, as: UTF8.self)) else {
      return nil
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      names.append(entry.pointee.d_type == DT_DIR ? "\(name)/" : name)
    }
    return names.sorted()
  }

  private var staysInside: Bool {
    let names = path.split(separator: UInt8(ascii: "/"))
    return path.first != UInt8(ascii: "/") && !path.contains(0)
      && !names.contains { $0.elementsEqual("..".utf8) } && !group.contains("/") && group != ".."
  }
}
