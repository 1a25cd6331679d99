internal import Glibc

/// The text of a script from the disk.
package struct ScriptFile: Sendable {
  /// The name as errors show it: the file's name, for a script in a bundle with the bundle's name before it.
  package let name: String
  package let text: [UInt8]

  /// The length limit of a script in bytes.
  package static let longest = 1 << 20

  /// Reads the file at `path`.
  ///
  /// - Throws: ``ScriptError`` where the file cannot be read, is too long, or is not UTF-8.
  package init(path: String) throws(ScriptError) {
    name = Self.name(of: path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.error(name, "cannot be read: \(Self.lastError)") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Self.error(name, "is not a file")
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count <= Self.longest {
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw Self.error(name, "cannot be read: \(Self.lastError)") }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    guard bytes.count <= Self.longest else { throw Self.error(name, "is longer than 1 MiB") }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Self.error(name, "is not UTF-8")
    }
    text = bytes
  }

  private static var lastError: String { String(cString: strerror(errno)) }

  private static func error(_ name: String, _ what: String) -> ScriptError {
    ScriptError("\(name): the script \(what) [\(ScriptError.Code.file.rawValue)]")
  }

  static func name(of path: String) -> String {
    let parts = path.split(separator: "/")
    let isInBundle = parts.dropLast().last.map { $0.hasSuffix(".appex") || $0.hasSuffix(".app") }
    return parts.suffix(isInBundle == true ? 2 : 1).joined(separator: "/")
  }
}
