internal import Foundation

/// A line on standard error that says how far something is, where somebody looks.
enum ProgressLine {
  /// Shows a line in the place of the one before; an empty one at the end.
  static func show(_ line: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    try? FileHandle.standardError.write(contentsOf: Data(("\r\u{1B}[K" + line).utf8))
  }
}
