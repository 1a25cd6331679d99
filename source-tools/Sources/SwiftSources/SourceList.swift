internal import Foundation
public import Output

/// The Swift files that a command is given, by name or in folders.
public struct SourceList: Sendable {
  /// A file, not read yet.
  public struct Entry: Sendable, Hashable {
    /// The file, as the user named it, or its folder.
    public let path: String
    /// The path below the folder that the user named; the file's name where the file itself was named.
    public let relativePath: String
  }

  /// The files, each once, by path.
  public let entries: [Entry]
  /// The folders among the paths.
  public let folders: [String]

  /// Looks up `paths`: files, and folders with all `.swift` files below them but hidden ones; links to
  /// folders are not followed.
  ///
  /// - Throws: ``SourceError`` where a path leads nowhere, or a folder holds no Swift file.
  public init(_ paths: [String]) throws(SourceError) {
    var entries: [String: Entry] = [:]
    var folders: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw SourceError(
          path, "no such file or folder; expected a Swift file, or a folder of them")
      }
      if isFolder.boolValue { folders.append(path) }
      for entry in isFolder.boolValue ? try Self.entries(in: path) : [Self.entry(of: path)] {
        entries[entry.path] = entries[entry.path] ?? entry
      }
    }
    self.entries = entries.values.sorted { $0.path < $1.path }
    self.folders = folders
  }

  private static func entry(of path: String) -> Entry {
    Entry(path: path, relativePath: URL(fileURLWithPath: path).lastPathComponent)
  }

  private static func entries(in folder: String) throws(SourceError) -> [Entry] {
    let names = visible(below: folder)
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let found = names.filter { $0.hasSuffix(".swift") && isFile(prefix + $0) }
    guard !found.isEmpty else {
      throw SourceError(folder, "no Swift file in the folder; expected files that end in `.swift`")
    }
    return found.map { Entry(path: prefix + $0, relativePath: $0) }
  }

  /// The paths of what is below a folder and not hidden, as a package's build folder is.
  private static func visible(below folder: String) -> [String] {
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

  /// Whether there is a regular file: pipes and devices in a folder are not meant to be read.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

/// A path that cannot be used.
public struct SourceError: Error, Equatable {
  /// The problem, to be printed.
  public let diagnostic: Diagnostic

  /// The problem with `path`.
  public init(_ path: String, _ message: String, rule: String = "file") {
    diagnostic = Diagnostic(.path(path), message, rule: rule)
  }
}
