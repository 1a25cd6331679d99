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

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(root)/\(path)")
  }

  /// Paths of the files below `folder` that end so, in alphabetical order.
  static func files(in folder: String, suffix: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.allObjects ?? []
    return all.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
      .map { "\(folder)/\($0)" }
  }
}
