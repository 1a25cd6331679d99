internal import Diagnostics
internal import Foundation
internal import Simulation

/// Text that a command writes to a file.
enum TextFile {
  /// Replaces the file at `path`, which is made where it is not there, as a whole; a pipe or device is written to.
  ///
  /// - Throws: ``RunError`` with the system's reason where the file cannot be written.
  static func write(_ text: String, to path: String) throws(RunError) {
    try write(Data(text.utf8), to: path)
  }

  /// Does the same with data that are no text.
  ///
  /// - Throws: ``RunError`` with the system's reason where the file cannot be written.
  static func write(_ text: Data, to path: String) throws(RunError) {
    guard isStream(path) else { return try replace(path, with: text) }
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw RunError(unwritable: path, errno) }
    defer { close(descriptor) }
    try fill(descriptor, text, path)
  }

  /// Whether two paths lead to the same file.
  static func isSame(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  private static func isStream(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  private static func replace(_ path: String, with text: Data) throws(RunError) {
    do {
      try text.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      let reason = (error as? CocoaError)?.underlying as? POSIXError
      throw RunError(unwritable: path, reason?.code.rawValue ?? EIO)
    }
  }

  /// Writes all of `bytes` to an open file.
  ///
  /// - Throws: ``RunError`` with the system's reason where the file takes no more.
  static func fill(
    _ descriptor: Int32, _ bytes: some Sequence<UInt8>, _ path: String
  ) throws(RunError) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw RunError(unwritable: path, errno)
      }
    }
  }
}
