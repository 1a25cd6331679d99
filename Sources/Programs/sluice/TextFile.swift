internal import Diagnostics
internal import Foundation
internal import Simulation

/// Text that a command writes to a file.
enum TextFile {
  /// Replaces the content of the file at `path`, which is made where it is not there.
  ///
  /// - Throws: ``RunError`` with the system's reason where the file cannot be written.
  static func write(_ text: String, to path: String) throws(RunError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw refusal(of: path) }
    defer { close(descriptor) }
    try fill(descriptor, text, path)
  }

  /// Writes all of `text` to an open file.
  ///
  /// - Throws: ``RunError`` with the system's reason where the file takes no more.
  static func fill(_ descriptor: Int32, _ text: String, _ path: String) throws(RunError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw refusal(of: path)
      }
    }
  }

  /// The error of a file that the system has just refused.
  static func refusal(of path: String) -> RunError {
    let reason = String(cString: strerror(errno)).lowercased()
    return RunError(.path(path), "cannot be written: \(reason)", rule: "file")
  }
}
