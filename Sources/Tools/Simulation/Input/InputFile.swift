internal import Foundation
package import GraphDocuments
internal import Output

/// Files that a user names, including pipes and devices that shells substitute for files.
package enum InputFile {
  /// Reads a file that Sluice writes itself, such as a journal or a digest file. A regular file may have any size. A
  /// pipe or a device may supply at most 64 MiB.
  ///
  /// - Parameter start: The position of the first byte.
  /// - Throws: ``RunError`` with the system's reason, or if a pipe or a device has more than 64 MiB.
  package static func bytes(_ path: String, from start: Int = 0) throws(RunError) -> [UInt8] {
    let descriptor = try opened(path)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return try document(of: descriptor, at: path)
    }
    return try bytes(of: descriptor, at: path, from: start)
  }

  /// Opens a file for reading. The caller closes the descriptor.
  ///
  /// - Throws: ``RunError`` with the system's reason, or if no program writes to a named pipe. Opening
  ///   such a pipe would wait forever.
  static func opened(_ path: String) throws(RunError) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path) }
    var status = stat()
    let isPipe = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    guard !isPipe || hasWriter(descriptor, at: path) else {
      close(descriptor)
      throw RunError(.path(path), "no program writes to this named pipe", rule: "file")
    }
    // The reader waits for the program's next bytes.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return descriptor
  }

  /// The maximum wait for a program to open a named pipe for writing, in milliseconds.
  private static let patience: Int32 = 2_000

  /// Waits for data in a named pipe, for ``patience`` at most. Returns whether the pipe has data, or a program has
  /// opened it for writing.
  private static func hasWriter(_ pipe: Int32, at path: String) -> Bool {
    var event = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    guard poll(&event, 1, patience) == 0 else { return true }
    // Linux reports the end of a pipe only to a reader that has had a writer, so be that writer for a moment.
    let writer = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
    guard writer >= 0 else { return true }
    close(writer)
    event.revents = 0
    return poll(&event, 1, 0) < 1 || event.revents & Int16(POLLHUP) == 0
  }

  /// Reads a document: a scenario, or a file named by a scenario or a command.
  ///
  /// - Throws: ``RunError`` with the system's reason, or if the document has more than 64 MiB, as an endless
  ///   device does.
  package static func document(_ path: String) throws(RunError) -> [UInt8] {
    let descriptor = try opened(path)
    defer { close(descriptor) }
    return try document(of: descriptor, at: path)
  }

  private static func document(
    of descriptor: Int32, at path: String, called noun: String = "the file"
  ) throws(RunError) -> [UInt8] {
    let bytes = try bytes(of: descriptor, at: path, from: 0, atMost: largestDocument + 1)
    guard bytes.count <= largestDocument else {
      throw RunError(
        .file(path), "\(noun) is larger than \(largestDocument >> 20) MiB", rule: "file")
    }
    return bytes
  }

  /// Checks that a path names a regular file, or no file. Reading a pipe or a device that was found in a folder could
  /// wait forever.
  ///
  /// - Throws: ``RunError`` if the path names anything else.
  package static func requireRegular(_ path: String) throws(RunError) {
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw RunError(.file(path), "it is not a regular file", rule: "file")
    }
  }

  private static let largestDocument = 64 << 20

  /// Returns the first 64 KiB of a file.
  fileprivate static func beginning(_ path: String) throws(RunError) -> [UInt8] {
    let descriptor = try opened(path)
    defer { close(descriptor) }
    return try bytes(of: descriptor, at: path, from: 0, atMost: 64 << 10)
  }

  /// Reads at most `limit` bytes of an open file, from the byte `start`. The path is for messages.
  static func bytes(
    of descriptor: Int32, at path: String, from start: Int, atMost limit: Int = .max
  ) throws(RunError) -> [UInt8] {
    if start > 0 { lseek(descriptor, off_t(start), SEEK_SET) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk[..<count]
      } else if errno != EINTR {
        throw unreadable(path)
      }
    }
  }

  /// Returns the contents of a document as text. Contents that are not UTF-8 are an error.
  package static func documentText(_ path: String) throws(RunError) -> String {
    try text(document(path), of: path)
  }

  /// Returns the contents of a file as text, from the byte `start`. Contents that are not UTF-8 are an error.
  package static func text(_ path: String, from start: Int = 0) throws(RunError) -> String {
    try text(bytes(path, from: start), of: path)
  }

  private static func text(_ bytes: [UInt8], of path: String) throws(RunError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RunError(.file(path), "the file is not UTF-8", rule: "file")
    }
    return text
  }

  /// Reads standard input to its end. More than 64 MiB, or contents that are not UTF-8, are an error.
  package static func standardInput() throws(RunError) -> String {
    let bytes = try document(of: STDIN_FILENO, at: "-", called: "standard input")
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RunError(.file("-"), "standard input is not UTF-8", rule: "file")
    }
    return text
  }

  /// Returns the error for an unreadable file, with the reason in `errno`.
  package static func unreadable(_ path: String) -> RunError {
    let isFolder = errno == EISDIR
    let reason = String(cString: strerror(errno)).lowercased()
    return RunError(
      isFolder ? .path(path) : .file(path), "cannot read the file: \(reason)", rule: "file")
  }
}

/// A folder that a user names, with everything below it.
package struct InputFolder {
  /// The relative paths of all files and folders below the folder, except hidden files and folders, such as a package's
  /// build folder.
  package let names: [String]
  /// The folder as the user named it, with one slash at its end.
  private let prefix: String

  /// Lists the folder at `path`; nil if the folder does not exist.
  package init?(_ path: String) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    // If the path is a link, list the folder that it leads to.
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    names = Self.visible(below: real)
    prefix = path.hasSuffix("/") ? path : path + "/"
  }

  /// Returns the relative paths of all visible files and folders below a folder.
  static func visible(below folder: String) -> [String] {
    guard let found = FileManager.default.enumerator(atPath: folder) else { return [] }
    var names: [String] = []
    while let name = found.nextObject() as? String {
      if name.split(separator: "/").last?.first == "." {
        found.skipDescendants()
      } else {
        names.append(name)
      }
    }
    return names
  }

  /// Returns the path of a regular file. A pipe, a device or a folder is an error.
  package func file(_ name: String) throws(RunError) -> String {
    try InputFile.requireRegular(prefix + name)
    return prefix + name
  }

  /// Reads a regular file of the folder.
  package func read(_ name: String) throws(RunError) -> ExportFolder.File {
    ExportFolder.File(path: name, bytes: try InputFile.document(file(name)))
  }

  /// Returns the folder's scripts and other tools' configurations, up to ``namedScripts`` files, with the first 64 KiB
  /// of each. Messages about a folder without documents describe it by these files. Unreadable files are skipped.
  package func scripts(of folder: ExportFolder) -> [ExportFolder.File] {
    folder.scripts(among: names).prefix(Self.namedScripts).compactMap { name in
      guard let path = try? file(name), let bytes = try? InputFile.beginning(path) else {
        return nil
      }
      return ExportFolder.File(path: name, bytes: bytes)
    }
  }

  /// The maximum number of files that ``scripts(of:)`` reads.
  private static let namedScripts = 20

  /// Returns the regular files at a path: the file itself, or all files below the folder, ordered by path.
  package static func files(at path: String) -> [String] {
    guard let folder = InputFolder(path) else { return isRegular(path) ? [path] : [] }
    return folder.names.sorted().map { folder.prefix + $0 }.filter(isRegular)
  }

  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension String {
  /// The path with links resolved; nil if nothing exists there.
  package var realPath: String? {
    guard let path = realpath(self, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
