internal import Bundle
internal import Foundation

/// The files of a folder: declarations, and the data of assets.
package struct DeclarationFolder: Sendable {
  /// The folder's name as the user wrote it, which precedes each path in messages.
  package let name: String
  /// The content of the files by path in the folder, with `/` between its parts.
  package private(set) var files: [String: [UInt8]]
  /// The problems with files that could not be read.
  package private(set) var problems: [DeclarationProblem] = []
  /// The folder's place on disk; nil where the folder is in memory only.
  let root: String?
  /// The path by which the folder is read from disk.
  private let place: String
  /// Whether the folder stands for a single file that the user named; all messages are about that file then.
  let isOneFile: Bool

  /// The maximum number of files in a folder.
  package static let maximumFiles = 10_000
  /// The maximum size of a file, in bytes.
  package static let maximumFileSize = 16 << 20
  /// The maximum size of all files together, in bytes.
  package static let maximumSize = 256 << 20
  /// The maximum depth of nested folders.
  package static let maximumDepth = 32

  /// Creates a folder in memory.
  package init(name: String, files: [String: [UInt8]]) {
    self.init(name: name, files: files, isOneFile: false)
  }

  init(name: String, files: [String: [UInt8]], isOneFile: Bool) {
    self.name = name
    self.files = files
    self.isOneFile = isOneFile
    root = nil
    place = ""
  }

  /// Reads a folder and the folders in it, without hidden files. Symbolic links are not followed.
  ///
  /// - Parameter name: The name of the folder in messages; nil: its path.
  /// - Throws: ``DeclarationProblem`` where `path` is no folder, or cannot be read.
  package init(at path: String, called name: String? = nil) throws(DeclarationProblem) {
    let name = name ?? path
    self.name = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
    place = path
    isOneFile = false
    files = [:]
    root = URL(fileURLWithPath: path).standardizedFileURL.path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw DeclarationProblem(
        severity: .error, file: self.name, message: "there is no such folder")
    }
    guard isFolder.boolValue else {
      throw DeclarationProblem(
        severity: .error, file: self.name,
        message: "expected a folder of declarations, found a file")
    }
    var size = 0
    read("", depth: 0, &size)
  }

  /// The name of a file in messages.
  func display(_ path: String) -> String {
    path.isEmpty || isOneFile ? name : "\(name)/\(path)"
  }

  private func place(of path: String) -> String { path.isEmpty ? place : "\(place)/\(path)" }

  private mutating func read(_ folder: String, depth: Int, _ size: inout Int) {
    guard depth <= Self.maximumDepth else {
      return refuse(folder, "folders nest deeper than \(Self.maximumDepth) levels")
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: place(of: folder)).sorted()
    } catch {
      return refuse(folder, "the folder cannot be read")
    }
    for name in names where !name.hasPrefix(".") {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      switch kind(of: path) {
      case .folder: read(path, depth: depth + 1, &size)
      case .file(let count): readFile(path, count, &size)
      case .link: refuse(path, "a symbolic link, which is not followed")
      case .other: refuse(path, "neither a file nor a folder")
      }
    }
  }

  private enum Kind {
    case folder, link, other
    case file(size: Int)
  }

  private func kind(of path: String) -> Kind {
    var status = stat()
    guard lstat(place(of: path), &status) == 0 else { return .other }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .file(size: Int(status.st_size))
    case S_IFLNK: return .link
    default:  // open: any other type of file
      return .other
    }
  }

  private mutating func readFile(_ path: String, _ count: Int, _ size: inout Int) {
    guard count <= Self.maximumFileSize else {
      return refuse(path, "a file of \(count) bytes; at most \(Self.maximumFileSize) are read")
    }
    guard size + count <= Self.maximumSize else {
      return refuse(path, "not read: the folder has more than \(Self.maximumSize) bytes")
    }
    guard files.count < Self.maximumFiles else {
      return refuse(path, "not read: the folder has more than \(Self.maximumFiles) files")
    }
    do throws(BundleError) {
      // A file in /proc says 0 bytes, and any file may grow.
      let rest = min(Self.maximumFileSize, Self.maximumSize - size)
      let bytes = try BundleFile.bytes(place(of: path), atMost: rest)
      size += bytes.count
      files[path] = bytes
    } catch {
      refuse(path, error.message)
    }
  }

  private mutating func refuse(_ path: String, _ message: String) {
    problems.append(
      DeclarationProblem(severity: .error, file: display(path), message: message))
  }
}
