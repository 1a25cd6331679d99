internal import Glibc

/// Writes an output file named by the user.
public enum OutputFile {
  /// Writes `bytes` to `path`. A regular file is replaced atomically: readers see either the old or the new
  /// content.
  ///
  /// Preserves permissions, symbolic links and, if the process may change it, the owner. Writes directly to
  /// pipes, devices and descriptors of this process, such as `/dev/stdout`.
  ///
  /// - Throws: ``OutputError``. An existing regular file is then unchanged.
  public static func write(_ bytes: [UInt8], to path: String) throws(OutputError) {
    if let descriptor = descriptor(named: path) { return try fill(descriptor, with: bytes) }
    var status = stat()
    guard stat(path, &status) == 0 else { return try create(path, holding: bytes) }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard let file = realpath(path, nil) else { throw OutputError(errno) }
      defer { free(file) }
      try put(bytes, at: String(cString: file), like: status)
    case S_IFDIR: throw OutputError(EISDIR)
    default: try write(bytes, into: path, O_WRONLY)  // open: any other type of file
    }
  }

  /// Writes all of `bytes` to an open file.
  ///
  /// - Throws: ``OutputError`` if a write fails.
  public static func fill(_ descriptor: Int32, with bytes: [UInt8]) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw OutputError(errno)
      }
    }
  }

  /// Creates the file at `path`. If `path` is a dangling symbolic link, creates its target.
  private static func create(_ path: String, holding bytes: [UInt8]) throws(OutputError) {
    guard errno == ENOENT else { throw OutputError(errno) }
    if Link.target(of: path) == nil {
      try put(bytes, at: path, like: nil)
    } else {
      try write(bytes, into: path, O_WRONLY | O_CREAT)
    }
  }

  private static func write(
    _ bytes: [UInt8], into path: String, _ flags: Int32
  ) throws(OutputError) {
    let descriptor = open(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputError(errno) }
    defer { close(descriptor) }
    try fill(descriptor, with: bytes)
  }

  /// Writes a temporary file beside `path`, synchronises it, and renames it to `path`.
  private static func put(
    _ bytes: [UInt8], at path: String, like old: stat?
  ) throws(OutputError) {
    let temporary = "\(path).\(getpid())~"
    // A file left by an interrupted process, or planted by another user, must not be written through.
    unlink(temporary)
    let descriptor = open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, old == nil ? 0o666 : 0o600)
    guard descriptor >= 0 else { throw OutputError(errno) }
    do throws(OutputError) {
      defer { close(descriptor) }
      try fill(descriptor, with: bytes)
      if let old {
        // Only root may change the owner, so a failure is ignored. Permissions must be kept.
        _ = fchown(descriptor, old.st_uid, old.st_gid)
        guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else { throw OutputError(errno) }
      }
      guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw OutputError(errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Returns the open descriptor of this process to which the path refers, such as 1 for `/dev/stdout`; nil if there is
  /// none.
  private static func descriptor(named path: String) -> Int32? {
    var path = path
    // The kernel follows at most 40 links.
    for _ in 0..<40 {
      for folder in ["/proc/self/fd/", "/dev/fd/"] where path.hasPrefix(folder) {
        return Int32(path.dropFirst(folder.count))
      }
      guard let target = Link.target(of: path) else { return nil }
      path = target
    }
    return nil
  }
}

private enum Link {
  static func target(of path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count > 0 else { return nil }
    let text = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard !text.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return text }
    return path[...slash] + text
  }
}

/// The reason why a file cannot be written.
public struct OutputError: Error, CustomStringConvertible {
  /// The system's error number (errno(3)).
  public let code: Int32

  /// Creates an error from a number of errno(3).
  public init(_ code: Int32) { self.code = code }

  /// The system's message, in lower case.
  public var description: String { String(cString: strerror(code)).lowercased() }
}
