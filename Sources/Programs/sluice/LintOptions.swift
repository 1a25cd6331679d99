internal import ArgumentParser
internal import Diagnostics
internal import JSON

/// The options that all lint commands have.
struct LintOptions: ParsableArguments {
  /// The format in which findings are printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif
  }

  /// The least severity that fails a run.
  enum Threshold: String, CaseIterable, ExpressibleByArgument {
    case note, warning, error, never
  }

  @Option(help: "Format of the findings.")
  var format = Format.text

  @Option(help: "The least severity that exits with status 1.")
  var failOn = Threshold.error
}

extension LintOptions.Format {
  func render(_ report: FindingReport<some FindingRule>) -> String {
    var writer = JSONWriter()
    switch self {
    case .text: return report.text
    case .json: report.writeJSON(to: &writer)
    case .sarif: report.writeSARIF(to: &writer)
    }
    writer.endLine()
    return writer.text
  }
}

extension LintOptions.Threshold {
  /// Checks a report.
  ///
  /// - Throws: the exit status of a run whose report has a finding of this severity, or a worse one.
  func check(_ report: FindingReport<some FindingRule>) throws(ExitCode) {
    guard let severity = Severity(rawValue: rawValue), report.hasFindings(from: severity) else {
      return
    }
    throw Failure.expectation
  }
}
