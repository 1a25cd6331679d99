import Diagnostics
import Foundation
import JSON
import Specification
import TestSupport
import Testing

/// Outputs as they looked when somebody last read them. `SLUICE_RECORD=1` writes them anew; such a
/// run fails, so that nobody mistakes it for a test.
@Suite struct GoldenTests {
  enum File: String, CaseIterable {
    case markdown = "landmarks.md"
    case html = "landmarks.html"
    case json = "landmarks.json"
    case lint = "lint.txt"
    case lintJSON = "lint.json"
    case sarif = "lint.sarif"

    func render() throws -> String {
      let specification = try AppSpecification(
        Samples.bytes(Samples.landmarks), file: Samples.landmarks)
      switch self {
      case .markdown: return specification.markdown
      case .html: return specification.html
      case .json: return Samples.line { specification.writeJSON(to: &$0) }
      case .lint: return GoldenTests.report(specification).text
      case .lintJSON:
        return Samples.line { GoldenTests.report(specification).writeJSON(to: &$0) }
      case .sarif: return Samples.line { GoldenTests.report(specification).writeSARIF(to: &$0) }
      }
    }
  }

  /// A configuration with a mistake in almost every line.
  private static let wrong = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>configuration</key>
      <dict>
        <key>managedColection</key>
        <dict>
          <key>title</key>
          <string>Volcanoes</string>
        </dict>
        <key>managedCollection</key>
        <dict>
          <key>title </key>
          <string>Volcanoes</string>
          <key>landmarks</key>
          <array>
            <integer>7</integer>
            <string>1009</string>
          </array>
        </dict>
        <key>resourceURL</key>
        <string>http://resources.school.example.com/</string>
        <key>downloads</key>
        <string>wi-fi</string>
        <key>resourceToken</key>
        <string>b2f0c4</string>
      </dict>
    </dict>
    </plist>
    """

  private static func report(_ specification: AppSpecification) -> SpecificationReport {
    SpecificationReport(
      specification.findings
        + ConfigurationLinter.lint(
          Array(wrong.utf8), file: "wrong.plist", against: specification)
        + ConfigurationLinter.lint(Array("cut".utf8), file: "cut.plist", against: specification))
  }

  @Test(arguments: File.allCases) func `outputs look as they did`(file: File) throws {
    let path = Repository.path("Tests/SpecificationTests/Golden/\(file.rawValue)")
    let text = try file.render()
    if ProcessInfo.processInfo.environment["SLUICE_RECORD"] == "1" {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      Issue.record("recorded \(file.rawValue)")
    } else {
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test func `the example that ships is right`() throws {
    let specification = try AppSpecification(
      Samples.bytes(Samples.landmarks), file: Samples.landmarks)
    #expect(specification.findings == [])
    let configuration = try Samples.bytes("examples/landmarks/configuration.plist")
    #expect(Samples.lint(configuration, against: specification) == [])
  }
}
