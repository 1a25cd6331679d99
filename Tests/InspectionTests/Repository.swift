import Foundation

/// The files of this repository that tests read.
enum Repository {
  static let root: String =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  static func read(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  static func write(_ text: String, to path: String) throws {
    try text.write(toFile: "\(root)/\(path)", atomically: true, encoding: .utf8)
  }
}
