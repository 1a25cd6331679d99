import Encodings
import Foundation
import Output
import Specification
import Testing
import TestSupport

/// Compares outputs with the outputs that were last reviewed. `SLUICE_RECORD=1` rewrites them. Such
/// a run fails, so it is not mistaken for a test.
@Suite struct GoldenTests {
  enum File: String, CaseIterable {
    case markdown = "landmarks.md"
    case json = "landmarks.json"
    case lint = "lint.txt"
    case lintJSON = "lint.json"
    case sarif = "lint.sarif"

    func render() throws -> String {
      let specification = try AppSpecification(
        Samples.bytes(Samples.landmarks), file: Samples.landmarks)
      switch self {
      case .markdown: return specification.markdown
      case .json: return Samples.line { specification.writeJSON(to: &$0) }
      case .lint: return GoldenTests.report(specification).text
      case .lintJSON:
        return Samples.line { GoldenTests.report(specification).writeJSON(to: &$0) }
      case .sarif: return Samples.line { GoldenTests.report(specification).writeSARIF(to: &$0) }
      }
    }
  }

  /// A configuration with an error in almost every line.
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

  @Test(arguments: File.allCases) func `specification outputs match the golden files`(file: File)
    throws
  {
    let path = "Tests/SpecificationTests/Golden/\(file.rawValue)"
    let text = try file.render()
    try checkGolden(text, path)
  }

  @Test func `the HTML page has the headings, tables and paragraphs of the Markdown`() throws {
    let specification = try AppSpecification(
      Samples.bytes(Samples.landmarks), file: Samples.landmarks)
    let page = try HTMLElement(page: specification.html)
    var blocks = specification.markdown.components(separatedBy: "\n\n")
      .map { $0.trimmingCharacters(in: .newlines) }
    // An example may contain empty lines.
    let example = try #require(blocks.firstIndex { $0.hasPrefix("```xml\n") })
    while !blocks[example].hasSuffix("\n```") {
      blocks[example] += "\n\n" + blocks.remove(at: example + 1)
    }
    var expected: [String] = []
    for block in blocks {
      let lines = block.split(separator: "\n").map(String.init)
      if block.hasPrefix("#") {
        expected.append(String(block.drop { $0 == "#" }.dropFirst()))
      } else if block.hasPrefix("```") {
        expected.append(lines.dropFirst().dropLast().joined(separator: "\n"))
      } else if block.hasPrefix("|") {
        let rows = lines.filter { !$0.hasPrefix("| ---") }
        expected += rows.flatMap {
          $0.components(separatedBy: " | ").map { cell in
            cell.trimmingCharacters(in: CharacterSet(charactersIn: "| "))
          }
        }
      } else {
        expected.append(block)
      }
    }
    let shown = page.all("h1", "h2", "h3", "p", "pre", "th", "td").map(\.line)
    #expect(shown == expected)
  }

  @Test func `the shipped example of a specification is valid`() throws {
    let specification = try AppSpecification(
      Samples.bytes(Samples.landmarks), file: Samples.landmarks)
    #expect(specification.findings == [])
    let configuration = try Samples.bytes("examples/landmarks/configuration.plist")
    #expect(Samples.lint(configuration, against: specification) == [])
  }
}
