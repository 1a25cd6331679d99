internal import Foundation

/// A folder for one test, removed with this object.
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

  /// Writes a file, and the folders above it.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    let file = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Foundation would wait until the disk has it.
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

  /// The names of what is in a folder, in alphabetical order.
  public func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }

  /// Makes a folder, and those above it.
  ///
  /// - Parameter permissions: nil: those of the process.
  public func makeFolder(_ name: String, permissions: Int? = nil) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true,
      attributes: permissions.map { [.posixPermissions: $0] })
  }

  /// Makes a symbolic link, in a folder that is there.
  public func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  /// Copies a file or a folder from elsewhere, and makes the folders above it.
  public func copy(_ source: String, to name: String) throws {
    let target = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source, toPath: target.path)
  }
}
