internal import Foundation

/// A temporary folder for one test, deleted with this object.
public final class Workspace {
  public let path: String

  public init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sluice-test-\(UUID().uuidString)").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, creating missing parent folders.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    let file = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Foundation would call fsync and wait for the disk.
    guard let opened = fopen(file.path, "we") else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    let written = Array(text.utf8).withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, opened) }
    guard fclose(opened) == 0, written == text.utf8.count else { throw POSIXError(.EIO) }
    return file.path
  }

  public func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
  }

  public func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Returns the names of a folder's entries, in alphabetical order.
  public func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }

  /// Creates a folder and missing parent folders.
  ///
  /// - Parameter permissions: The permissions; if nil, those of the process's umask.
  public func makeFolder(_ name: String, permissions: Int? = nil) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true,
      attributes: permissions.map { [.posixPermissions: $0] })
  }

  /// Creates a symbolic link; its parent folder must exist.
  public func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  /// Copies a file or folder into the workspace, creating missing parent folders.
  public func copy(_ source: String, to name: String) throws {
    let target = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source, toPath: target.path)
  }
}
