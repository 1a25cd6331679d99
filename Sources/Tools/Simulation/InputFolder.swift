internal import Diagnostics
internal import Foundation
public import GraphDocuments

/// A folder that a user names, and all that is below it.
public struct InputFolder {
  /// The paths of all files below the folder, with `/` between. Hidden ones, such as a package's build folder, are none.
  public let names: [String]
  /// The folder as the user named it, with one slash at its end.
  private let prefix: String

  /// Lists the folder at `path`; nil where there is no such folder.
  public init?(_ path: String) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    // A link to a folder is that folder.
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    names = Self.visible(below: real)
    prefix = path.hasSuffix("/") ? path : path + "/"
  }

  /// The paths of what is below a folder and not hidden.
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

  /// The path of a regular file: pipes and devices in a folder are not meant to be read.
  ///
  /// - Throws: ``RunError`` where `name` is no regular file.
  package func file(_ name: String) throws(RunError) -> String {
    try InputFile.requireRegular(prefix + name)
    return prefix + name
  }

  /// Reads a file of the folder.
  ///
  /// - Throws: ``RunError`` where `name` is no regular file, or cannot be read.
  public func read(_ name: String) throws(RunError) -> ExportFolder.File {
    ExportFolder.File(path: name, bytes: try InputFile.document(file(name)))
  }

  /// The beginnings of the first scripts and configurations of other tools in the folder, by which messages say what a
  /// folder without documents holds. What cannot be read is left out.
  package func scripts(of folder: ExportFolder) -> [ExportFolder.File] {
    folder.scripts(among: names).prefix(Self.namedScripts).compactMap { name in
      guard let path = try? file(name), let bytes = try? InputFile.beginning(path) else {
        return nil
      }
      return ExportFolder.File(path: name, bytes: bytes)
    }
  }

  /// The most scripts that are looked at.
  private static let namedScripts = 20

  /// The regular files at a path: the file itself, or all below the folder, in the order of their names.
  package static func files(at path: String) -> [String] {
    guard let folder = InputFolder(path) else { return isRegular(path) ? [path] : [] }
    return folder.names.sorted().map { folder.prefix + $0 }.filter(isRegular)
  }

  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
