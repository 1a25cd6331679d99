internal import Diagnostics
internal import Foundation
internal import OutputFiles
internal import Simulation

/// Text that a command writes to a file.
enum TextFile {
  /// Has the file at `path` hold `text`, all at once, as ``OutputFile`` does.
  ///
  /// - Throws: ``RunError`` with the system's reason where the file cannot be written.
  static func write(_ text: String, to path: String) throws(RunError) {
    try write(Data(text.utf8), to: path)
  }

  /// Does the same with data that are no text.
  ///
  /// - Throws: ``RunError`` with the system's reason where the file cannot be written.
  static func write(_ text: Data, to path: String) throws(RunError) {
    do throws(OutputFailure) {
      try OutputFile.write(Array(text), to: path)
    } catch {
      throw RunError(unwritable: path, error.code)
    }
  }

  /// Checks that a file is none of those that it is to be made of.
  ///
  /// - Parameter output: nil: standard output.
  /// - Throws: ``RunError`` where it is.
  static func check(_ output: String?, isNoneOf inputs: [String]) throws(RunError) {
    guard let output, inputs.contains(where: { isSame(output, $0) }) else { return }
    throw RunError(
      .file(output), "this is read, and is not written over; name another file", rule: "file")
  }

  /// Whether two paths lead to the same file.
  static func isSame(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}
