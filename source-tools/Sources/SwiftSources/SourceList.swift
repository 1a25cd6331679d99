internal import Foundation
public import Output

/// The Swift files that a command processes. The user enters files or folders.
public struct SourceList: Sendable {
  /// A file that has not been read yet.
  public struct Entry: Sendable, Hashable {
    /// The path as the user entered it. For a file from a folder, it begins with the folder as the user entered it.
    public let path: String
    /// The path relative to the folder that the user entered. For a file that the user entered, it is the file's name.
    public let relativePath: String
  }

  /// The files without duplicates, sorted by path.
  public let entries: [Entry]
  /// The folders that the user entered.
  public let folders: [String]

  /// Finds the files at `paths` and all `.swift` files in folders. Hidden files are skipped, and links to
  /// folders are not followed.
  ///
  /// - Throws: ``SourceError`` if a path does not exist or a folder contains no Swift file.
  public init(_ paths: [String]) throws(SourceError) {
    var entries: [String: Entry] = [:]
    var folders: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw SourceError(
          path, "no such file or folder; expected a Swift file, or a folder with Swift files")
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
      throw SourceError(
        folder, "the folder contains no Swift files; expected files with the extension `.swift`")
    }
    return found.map { Entry(path: prefix + $0, relativePath: $0) }
  }

  /// Returns the paths below a folder. Hidden files and folders are skipped, such as a package's
  /// build folder.
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

  /// Returns whether a path refers to a regular file. Pipes and devices in a folder are skipped.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

/// An error about a path.
public struct SourceError: Error, Equatable {
  /// The diagnostic to print.
  public let diagnostic: Diagnostic

  public init(_ path: String, _ message: String, rule: String = "file") {
    diagnostic = Diagnostic(.path(path), message, rule: rule)
  }
}
