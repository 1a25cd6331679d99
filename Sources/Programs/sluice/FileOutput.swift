internal import Diagnostics
internal import ArgumentParser
internal import Foundation
internal import Simulation

/// `FORMAT=PATH`: the report in a file, in a format of its own, beside standard output.
struct FileOutput<Format: RawRepresentable<String> & Sendable>: ExpressibleByArgument, Sendable {
  let format: Format
  let path: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let format = Format(rawValue: String(parts[0])) else { return nil }
    self.format = format
    path = String(parts[1])
  }

  /// Writes `text` to the file.
  ///
  /// - Throws: ``RunError`` where the file cannot be written.
  func write(_ text: String) throws(RunError) {
    do {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw RunError(.file(path), "the report cannot be written there", rule: "file")
    }
  }
}
