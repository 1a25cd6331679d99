import Analysis
import Encodings
import Foundation
import Output
import Testing

@Suite struct SARIFTests {
  private static func run() throws -> JSONValue {
    let report = try GoldenTests.report()
    let log = try JSONReader.read(GoldenTests.line { report.writeSARIF(to: &$0) })
    #expect(log["version"]?.string == "2.1.0")
    #expect(log["$schema"]?.string?.contains("sarif-2.1.0") == true)
    return try #require(log["runs"]?.array?.first)
  }

  @Test func `every lint rule has a SARIF description`() throws {
    let driver = try #require(try Self.run()["tool"]?["driver"])
    #expect(driver["name"]?.string == "sluice")
    let rules = try #require(driver["rules"]?.array)
    #expect(rules.compactMap { $0["id"]?.string } == LintRule.all.map(\.code))
    #expect(rules.map { $0["shortDescription"]?["text"]?.string } == LintRule.all.map(\.summary))
    #expect(
      rules.map { $0["help"]?["text"]?.string }
        == LintRule.all.map { $0.help.isEmpty ? $0.summary : $0.help })
  }

  @Test func `each lint finding becomes a SARIF result with its rule, message and location`() throws
  {
    let run = try Self.run()
    let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
    let results = try #require(run["results"]?.array)
    let findings = try GoldenTests.report().findings
    #expect(results.count == findings.count)
    for (result, finding) in zip(results, findings) {
      #expect(result["ruleId"]?.string == finding.code)
      #expect(rules[try #require(result["ruleIndex"]?.int)]["id"]?.string == finding.code)
      #expect(result["level"]?.string == finding.severity.rawValue)
      #expect(result["message"]?["text"]?.string == finding.message)
      let location = try #require(result["locations"]?.array?.first?["physicalLocation"])
      #expect(location["region"]?["startLine"]?.int == finding.position?.line)
      #expect(location["region"]?["startColumn"]?.int == finding.position?.column)
      let uri = location["artifactLocation"]?["uri"]?.string
      #expect(uri?.removingPercentEncoding == finding.file)
    }
  }

  @Test(arguments: [
    ("a/b.json", "a/b.json"), ("my policy:1.json", "my%20policy%3A1.json"),
    ("/tmp/ü.json", "file:///tmp/%C3%BC.json"),
  ])
  func `SARIF paths are URIs`(path: String, uri: String) throws {
    let report = LintReport([.unreadable(file: path, reason: "no such file")])
    let log = try JSONReader.read(GoldenTests.line { report.writeSARIF(to: &$0) })
    let result = log["runs"]?.array?.first?["results"]?.array?.first
    let location = result?["locations"]?.array?.first?["physicalLocation"]
    #expect(location?["artifactLocation"]?["uri"]?.string == uri)
  }

  @Test func `SARIF of a lint report without findings has an empty results array`() throws {
    let log = try JSONReader.read(GoldenTests.line { LintReport([]).writeSARIF(to: &$0) })
    #expect(log["runs"]?.array?.first?["results"]?.array?.isEmpty == true)
  }
}
