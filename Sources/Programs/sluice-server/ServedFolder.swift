internal import CConfinement
internal import Encodings
internal import Glibc

/// A folder whose files are served.
final class ServedFolder: Sendable {
  private let descriptor: Int32

  /// The limit on a served file in bytes.
  static let largestFile = 16 << 20

  /// Opens a folder.
  ///
  /// - Throws: ``ServerError`` with the system's reason.
  init(_ path: String) throws(ServerError) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ServerError(
        "cannot open the folder `\(path)`: \(String(cString: strerror(errno)).lowercased())")
    }
  }

  deinit { close(descriptor) }

  /// The content of a file.
  ///
  /// - Parameter path: the path of a URL, from its first slash on.
  /// - Returns: nil where there is no such file, it is no regular file, it is too large, or the way to it is
  ///   through a link or out of the folder.
  func file(at path: String) -> [UInt8]? {
    guard let name = Self.decoded(path.drop { $0 == "/" }.utf8) else { return nil }
    let file = sluice_open_beneath(descriptor, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.largestFile
    else { return nil }
    var content = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = content.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    return count < 0 ? nil : Array(content.prefix(count))
  }

  /// A path with its escapes (RFC 3986) resolved, as a C string.
  ///
  /// - Returns: nil where an escape is malformed, or stands for a zero byte.
  private static func decoded(_ path: Substring.UTF8View) -> [CChar]? {
    guard let bytes = PercentEncoding.decoded(path), !bytes.contains(0) else { return nil }
    return bytes.map(CChar.init(bitPattern:)) + [0]
  }
}
