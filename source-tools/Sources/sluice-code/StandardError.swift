internal import Foundation

enum StandardError {
  static func print(_ line: some CustomStringConvertible) {
    try? FileHandle.standardError.write(contentsOf: Data((line.description + "\n").utf8))
  }
}
