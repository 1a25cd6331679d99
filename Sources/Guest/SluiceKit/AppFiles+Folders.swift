internal import Glibc
internal import Wire

/// The listing of folders in the app's containers.
extension AppFiles {
  /// Lists the names in a folder, in alphabetical order; those of folders end in `/`.
  ///
  /// - Parameter completion: gets the names, or the error: the host tells why a folder cannot be read.
  func list(
    _ folder: FileReference,
    completion: @escaping (Result<[String], ProtectedFileError>) -> Void
  ) {
    if let names = folder.names { return completion(.success(names)) }
    let unreadable = ProtectedFileError.system("list", folder.name)
    let question = OpenFile(folder, mode: .read, isQuestion: true)
    host.request(.openFile(question), as: TaskContext.present) { outcome in
      completion(.failure(Self.failure(outcome, folder.name) ?? unreadable))
    }
  }

  /// The error in the host's answer about a path; nil where it is a folder that is there.
  private static func failure(_ outcome: RequestOutcome, _ path: String) -> ProtectedFileError? {
    guard let error = ProtectedFileError(outcome, path) else {
      return ProtectedFileError(.invalidArguments, "`\(path)` is no folder")
    }
    if error.code == .isFolder { return nil }
    if error.code == .fileNotFound {
      return ProtectedFileError(.fileNotFound, "there is no folder `\(path)`")
    }
    return error
  }
}

extension FileReference {
  /// The names in the folder; nil where it cannot be read, or the path may lead out of the container.
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
