import Foundation
import JSON
import TestSupport
import Testing

extension RealProcesses {
  /// The formats, read as the programs read them that they are for.
  @Suite struct ReportFormatTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Samples.failing, to: "failing.yaml")
    }

    @Test func `json is one object with counts, suites, cases and steps`() throws {
      let ended = try desk.sluice("run", "failing.yaml", "--format", "json")
      #expect(ended.status == 1 && ended.lines.count == 1)
      let report = try JSONReader.read(ended.output)
      let counts = ["passed", "failed", "errored"].map { report["counts"]?[$0]?.int }
      #expect(counts == [1, 1, 1])
      let suite = try #require(report["suites"]?.array?.first)
      #expect(suite["name"]?.string == "Failing & <more>")
      #expect(suite["file"]?.string == "failing.yaml")
      let cases = try #require(suite["cases"]?.array)
      #expect(cases.map { $0["outcome"]?.string } == ["failed", "passed", "errored"])
      let request = try #require(cases[0]["steps"]?.array?[1]["requests"]?.array?.first)
      #expect(request["end"]?.string == "delivered")
      #expect(request["verdict"]?["decidedBy"]?.string == "noRuleApplied")
    }

    @Test func `junit is XML that counts cases, failures and errors`() throws {
      let ended = try desk.sluice("run", "failing.yaml", "--format", "junit")
      #expect(ended.status == 1)
      let elements = try XMLElements(ended.output)
      let suite = try #require(elements.named("testsuite").first)
      #expect(suite["name"] == "Failing & <more>")
      #expect([suite["tests"], suite["failures"], suite["errors"]] == ["3", "1", "1"])
      #expect(
        elements.named("testcase").map { $0["name"] }
          == ["an item is kept back", "an app starts # once", "an app starts twice"])
      #expect(
        elements.named("failure").map { $0["message"] }
          == ["step 2: expected verdict blocked, found verdict allowed"])
      #expect(elements.named("error").map { $0["type"] } == ["step"])
    }

    @Test func `tap has a plan, and a point for each file and each case`() throws {
      let ended = try desk.sluice("run", "failing.yaml", "--format", "tap")
      #expect(ended.status == 1)
      let tap = try #require(TAP(ended.lines))
      #expect(tap.plan == 1)
      #expect(tap.points.map(\.isOK) == [false])
      let cases = try #require(TAP(tap.subtest, isSubtest: true))
      #expect(cases.plan == 3)
      #expect(cases.points.map(\.isOK) == [false, true, false])
      #expect(
        cases.points.map(\.title)
          == ["an item is kept back", ##"an app starts \# once"##, "an app starts twice"])
    }

    @Test func `reports go into as many files as are asked for`() throws {
      let usual = try desk.sluice("run", "failing.yaml")
      let ended = try desk.sluice(
        "run", "failing.yaml", "--output", "json=report.json", "--output", "junit=report.xml",
        "--output", "tap=report.tap", "--output", "text=report.txt", "--color", "always")
      #expect(ended.status == 1)
      #expect(try JSONReader.read(desk.folder.read("report.json"))["counts"] != nil)
      #expect(try XMLElements(desk.folder.read("report.xml")).named("testcase").count == 3)
      #expect(TAP(try desk.folder.read("report.tap").split(separator: "\n"))?.plan == 1)
      #expect(try desk.folder.read("report.txt") == usual.output)
    }

    @Test func `a report that cannot be written ends with 2, after it was printed`() throws {
      let ended = try desk.sluice("run", "failing.yaml", "--output", "json=none/report.json")
      #expect(ended.status == 2)
      #expect(ended.output.hasPrefix("Failing & <more> (failing.yaml)\n"))
      #expect(
        ended.errors
          == "none/report.json:1:1: error: the report cannot be written there [file]\n")
    }

    @Test func `with --verbose passing cases have their steps and reasons, too`() throws {
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      let brief = try desk.sluice("run", "passing.yaml")
      let verbose = try desk.sluice("run", "passing.yaml", "--verbose")
      #expect(!brief.output.contains("noRuleApplied"))
      #expect(verbose.output.contains("2. a shares `Hi` with b\n"))
      #expect(verbose.output.contains("share allowed by noRuleApplied, delivered\n"))
    }
  }
}
