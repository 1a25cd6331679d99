internal import ArgumentParser
internal import Encodings
internal import IntuneLint
internal import Output

enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, sarif

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
