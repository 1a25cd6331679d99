internal import ArgumentParser
internal import Diagnostics
internal import Foundation
internal import Simulation

/// `FORMAT=PATH`, or a path whose extension tells the format: the report in a file, beside standard output.
struct FileOutput<Format: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
  let format: Format
  let path: String

  /// The same file, in a format of another set.
  func `as`<Other>(_ other: (Format) -> Other) -> FileOutput<Other> {
    FileOutput<Other>(format: other(format), path: path)
  }

  fileprivate init(format: Format, path: String) {
    self.format = format
    self.path = path
  }

  /// Reads the option's value.
  ///
  /// - Throws: `ValidationError` where it names no format, and the extension tells none.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    if parts.count == 2, let format = Format(rawValue: parts[0]) {
      self.format = format
      path = parts[1]
    } else if !argument.contains("="), let format = Self.format(of: argument) {
      self.format = format
      path = argument
    } else {
      let formats = Format.allCases.map(\.rawValue)
      throw ValidationError(
        "expected FORMAT=PATH, as in json=report.json, where FORMAT is one of "
          + formats.joined(separator: ", ")
          + (parts.count == 2 ? Suggestion.nearest(to: parts[0], among: formats) : ""))
    }
  }

  /// The format that is usual for files of this extension; nil where none is.
  private static func format(of path: String) -> Format? {
    let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
    return Format(rawValue: ["xml": "junit", "txt": "text"][ending] ?? ending)
  }

  /// Writes `text` to the file.
  ///
  /// - Throws: ``RunError`` with the system's reason where the file cannot be written.
  func write(_ text: String) throws(RunError) { try TextFile.write(text, to: path) }
}
