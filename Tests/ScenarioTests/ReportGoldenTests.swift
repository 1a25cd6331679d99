import Scenario
import TestSupport
import Testing

/// Compares reports with the reports that were last reviewed. `SLUICE_RECORD=1` rewrites them. Such
/// a run fails, so it is not mistaken for a test.
@Suite struct ReportGoldenTests {
  enum File: String, CaseIterable {
    case text = "report.txt"
    case everything = "report-everything.txt"
    case coloured = "report-coloured.txt"
    case json = "report.json"
    case junit = "report.xml"
    case tap = "report.tap"

    func render(_ report: Report) -> String {
      switch self {
      case .text: report.text()
      case .everything: report.text(detail: .everything)
      case .coloured: report.text(palette: ReportGoldenTests.marks)
      case .json: report.json()
      case .junit: report.junit()
      case .tap: report.tap()
      }
    }
  }

  private static let marks = Palette(
    good: { "<good>\($0)</good>" }, bad: { "<bad>\($0)</bad>" },
    strong: { "<strong>\($0)</strong>" }, faint: { "<faint>\($0)</faint>" })

  @Test(arguments: File.allCases) func `run reports in each format match the golden files`(
    file: File
  ) throws {
    let path = "Tests/ScenarioTests/Golden/\(file.rawValue)"
    let text = file.render(ReportSamples.report)
    try checkGolden(text, path)
  }

  @Test func `a report without cases states that there are no cases`() {
    let report = Report(suites: [])
    #expect(report.isPassed)
    #expect(report.text() == "no cases\n")
    #expect(report.tap() == "TAP version 14\n1..0\n")
  }

  @Test func `run reports in text, TAP and JUnit contain no control characters`() throws {
    for text in [ReportSamples.report.text(detail: .everything), ReportSamples.report.tap()] {
      let controls = text.unicodeScalars.filter { $0.value < 32 && $0 != "\n" }
      #expect(controls.isEmpty)
    }
    let xml = ReportSamples.report.junit().unicodeScalars
    #expect(xml.allSatisfy { $0.value >= 32 || $0 == "\n" || $0 == "\t" })
  }
}
