internal import ArgumentParser
internal import IntuneLint
internal import JSON
internal import Output

/// The form of findings: text for people, the others for programs.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, sarif

  /// The findings in this form.
  func render(_ report: FindingReport<CodeRule>) -> String {
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
