import Encodings
import Output
import TestSupport
import Testing

@testable import Bundle

/// Compares outputs with those that were last reviewed. `SLUICE_RECORD=1` rewrites them. Such a run
/// fails, so it is not mistaken for a test.
@Suite struct GoldenTests {
  enum File: String, CaseIterable {
    case show = "show.txt"
    case showJSON = "show.json"
    case lint = "lint.txt"
    case lintJSON = "lint.json"
    case sarif = "lint.sarif"
    case fix = "fix.txt"

    func render(_ input: BundleInput) throws -> String {
      let report = BundleReport(BundleReport.findings(about: input))
      var writer = JSONWriter()
      switch self {
      case .show: return BundleView.text(of: input)
      case .lint: return report.text
      case .fix: return try BundleFixer.fixes(of: input).map(Self.changes).joined()
      case .showJSON: input.writeJSON(to: &writer)
      case .lintJSON: report.writeJSON(to: &writer)
      case .sarif: report.writeSARIF(to: &writer)
      }
      writer.endLine()
      return writer.text
    }

    /// Returns the file, with the lines that a fix removes and inserts.
    private static func changes(_ fix: FixedList) -> String {
      let lines = [fix.text?.before ?? [], fix.text?.after ?? []].map {
        String(decoding: $0, as: UTF8.self).split(separator: "\n")
      }
      let difference = lines[1].difference(from: lines[0])
      let changes = (difference.removals + difference.insertions).map { change in
        switch change {
        case .remove(_, let line, _): "-\(line)\n"
        case .insert(_, let line, _): "+\(line)\n"
        }
      }
      return "\(fix.file)\n\(changes.joined())"
    }
  }

  @Test(arguments: File.allCases) func `bundle outputs match the golden files`(file: File) throws {
    let path = "Tests/BundleTests/Golden/\(file.rawValue)"
    let sample = try SampleApp(changing: BundleFixerTests.changes)
    let text = try file.render(sample.read())
      .replacing("file://\(sample.folder.path)/", with: "")
      .replacing("\(sample.folder.path)/", with: "")
    try checkGolden(text, path)
  }
}
