@testable import Bundle
import Foundation
import JSON
import Output
import Testing
import TestSupport

/// Outputs as they looked when somebody last read them. `SLUICE_RECORD=1` writes them anew; such a
/// run fails, so that nobody mistakes it for a test.
@Suite struct GoldenTests {
  enum File: String, CaseIterable {
    case show = "show.txt"
    case showJSON = "show.json"
    case lint = "lint.txt"
    case lintJSON = "lint.json"
    case sarif = "lint.sarif"
    case diff = "fix.diff"

    func render(_ input: BundleInput) throws -> String {
      let report = BundleReport(BundleReport.findings(about: input))
      var writer = JSONWriter()
      switch self {
      case .show: return BundleView.text(of: input)
      case .lint: return report.text
      case .diff: return try BundleFixer.fixes(of: input).map(\.diff).joined()
      case .showJSON: input.writeJSON(to: &writer)
      case .lintJSON: report.writeJSON(to: &writer)
      case .sarif: report.writeSARIF(to: &writer)
      }
      writer.endLine()
      return writer.text
    }
  }

  @Test(arguments: File.allCases) func outputsLookAsTheyDid(file: File) throws {
    let path = "Tests/BundleTests/Golden/\(file.rawValue)"
    let sample = try SampleApp(changing: BundleFixerTests.changes)
    let text = try file.render(sample.read())
      .replacing("file://\(sample.folder.path)/", with: "")
      .replacing("\(sample.folder.path)/", with: "")
    try checkGolden(text, path)
  }
}
