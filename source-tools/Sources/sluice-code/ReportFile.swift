internal import ArgumentParser
internal import IntuneLint
internal import Output
internal import SwiftSources

/// A report file as given on the command line in the form `FORMAT=PATH`.
struct ReportFile: ExpressibleByArgument {
  private let format: ReportFormat
  private let path: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = ReportFormat(rawValue: parts[0]) else { return nil }
    self.format = format
    path = parts[1]
  }

  /// Writes the report. Replaces a regular file atomically. Writes directly to a pipe or device.
  ///
  /// - Throws: ``SourceError`` if the file cannot be written.
  func write(_ report: FindingReport<CodeRule>) throws(SourceError) {
    do throws(OutputError) {
      try OutputFile.write(Array(format.render(report).utf8), to: path)
    } catch {
      throw SourceError(path, "cannot be written: \(error)", rule: "output")
    }
  }
}
