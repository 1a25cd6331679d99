internal import ArgumentParser
internal import Diagnostics
internal import Foundation
internal import IntuneLint
internal import SwiftSources

/// `FORMAT=PATH`: the findings in a file.
struct ReportFile: ExpressibleByArgument {
  private let format: ReportFormat
  private let path: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = ReportFormat(rawValue: parts[0]) else { return nil }
    self.format = format
    path = parts[1]
  }

  /// Writes `report`: a file is replaced as a whole, a pipe or device is written to.
  ///
  /// - Throws: ``SourceError`` where the file cannot be written.
  func write(_ report: FindingReport<CodeRule>) throws(SourceError) {
    do {
      let options: Data.WritingOptions = isStream ? [] : .atomic
      try Data(format.render(report).utf8).write(to: URL(fileURLWithPath: path), options: options)
    } catch {
      throw SourceError(path, "cannot be written: \(error.localizedDescription)", rule: "output")
    }
  }

  /// Whether the path leads to something that is there and no file, so that it must not be replaced.
  private var isStream: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }
}
