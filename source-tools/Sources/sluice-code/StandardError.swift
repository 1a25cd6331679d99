internal import Foundation

/// What is told beside the output.
enum StandardError {
  /// Prints a line.
  static func print(_ line: some CustomStringConvertible) {
    try? FileHandle.standardError.write(contentsOf: Data((line.description + "\n").utf8))
  }
}
