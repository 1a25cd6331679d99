import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the formats of reports. They are parsed as their consumers parse them.
  @Suite struct ReportFormatTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Samples.failing, to: "failing.yaml")
    }

    @Test func `the JSON report is one object with counts, suites, cases and steps`() throws {
      let ended = try desk.sluice("run", "failing.yaml", "--format", "json", ends: 1)
      #expect(ended.lines.count == 1)
      let report = try ended.json()
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

    @Test(arguments: ["organization", "lineage"])
    func `the HTML report has the same case counts as the text report`(
      scenario: String
    ) throws {
      let run = try desk.sluice(
        "run", Repository.path("scenarios/\(scenario).yaml"), "--output-dir", "kept", "--output",
        "html=run.html", ends: 0)
      let last = try #require(run.lines.last)
      try desk.sluice("report", "kept", ends: 0)
      for page in ["run.html", "report.html"] {
        let text = try desk.folder.read(page)
        let found = text.firstMatch(of: /<p class="headline">Passed: (\d+) of (\d+ cases)(.*?)\.\s/)
        let counts = try #require(found).output
        #expect("\(counts.2): \(counts.1) passed\(counts.3)" == last, "\(page)")
      }
      // There is also one result for each case.
      try desk.sluice("export", "kept", "--format", "allure", "-o", "allure", ends: 0)
      let results = try desk.folder.names(in: "allure")
      #expect(last.hasPrefix("\(results.count) cases: "))
    }

    @Test func `a failure on several devices counts as one case of the HTML report`() throws {
      try desk.folder.write(
        """
        name: Two devices
        apps: { a: { bundle: org.example.a }, b: { bundle: org.example.b } }
        devices: { one: { apps: { a: } }, two: { apps: { a: , b: } } }
        cases:
          - name: nothing is expected
            steps:
              - { launch: a, on: one }
              - { launch: a, on: two }
          - name: it is blocked
            steps:
              - { launch: [a, b], on: two }
              - { share: { from: a, to: b, text: Hi }, on: two, expect: { verdict: blocked } }
        """, to: "two.yaml")
      let run = try desk.sluice(
        "run", "two.yaml", "--output", "html=run.html", "--keep-failures", "failed", ends: 1)
      #expect(run.lines.last == "2 cases: 1 passed (1 expects nothing), 1 failed")
      #expect(
        try desk.folder.read("run.html").contains(
          "Passed: 1 of 2 cases (1 expects nothing); 1 failed."))
      try desk.sluice("report", "failed", ends: 0)
      #expect(try desk.folder.read("report.html").contains("Passed: 0 of 1 case; 1 failed."))
    }

    @Test func `JUnit XML counts cases, failures and errors`() throws {
      let ended = try desk.sluice("run", "failing.yaml", "--format", "junit", ends: 1)
      let elements = try XMLElements(ended.output)
      let suite = try #require(elements.named("testsuite").first)
      #expect(suite["name"] == "Failing & <more>")
      #expect([suite["tests"], suite["failures"], suite["errors"]] == ["3", "1", "1"])
      #expect(
        elements.named("testcase").map { $0["name"] }
          == ["an item is kept back", "an app starts # once", "an app starts twice"])
      #expect(
        elements.named("failure").map { $0["message"] }
          == [
            "failing.yaml:10:17: step 2: expected verdict blocked, found verdict allowed "
              + "(share allowed by noRuleApplied)"
          ])
      #expect(elements.named("error").map { $0["type"] } == ["step"])
    }

    @Test func `a failed expectation has its position in every report format`() throws {
      let place = "failing.yaml:10:17"
      let sentence = "expected verdict blocked, found verdict allowed"
      let reports = try desk.reports(
        "run", "failing.yaml", formats: ["json", "junit", "tap"], ends: 1)
      #expect(reports[0].contains("  \(place): \(sentence)\n"))
      #expect(reports[0].contains("  failing.yaml:17:9: `a` is running already\n"))
      let json = try JSONReader.read(reports[1])
      let step = try #require(
        json["suites"]?.array?.first?["cases"]?.array?.first?["steps"]?.array?[1])
      #expect(["line", "column"].map { step[$0]?.int } == [9, 9])
      let expectation = step["expectations"]?.array?.first
      #expect(["line", "column"].map { expectation?[$0]?.int } == [10, 17])
      for report in reports[2...] {
        #expect(report.contains("\(place): step 2: \(sentence)"))
      }
    }

    @Test func `JUnit states the duration of the run, of each suite and of each case`() throws {
      let elements = try XMLElements(desk.sluice("run", "failing.yaml", "--format", "junit").output)
      let times = ["testsuites", "testsuite", "testcase"].flatMap { elements.named($0) }
        .map { $0["time"].flatMap(Double.init) }
      #expect(times.count == 5 && times.allSatisfy { $0 != nil })
    }

    @Test func `reports contain the last lines of guests' output only for failures`() throws {
      try desk.folder.write(
        """
        for line = 1, 30 do log("line " .. line) end
        app.received(function(item) error("no use for " .. item.text) end)
        """, to: "loud.lua")
      func scenario(_ end: String) -> String {
        """
        apps:
          a: { bundle: org.example.a }
          loud: { bundle: org.example.loud, executable: loud.lua }
        steps:
          - launch: [a, loud]
          - share: { from: a, to: loud, text: Hi }
            expect: { end: \(end) }

        """
      }
      try desk.folder.write(scenario("delivered"), to: "loud.yaml")
      let formats = ["json", "junit", "tap"]
      let reports = try desk.reports(
        "run", "loud.yaml", "--color", "always", formats: formats, ends: 1)
      #expect(reports[0].contains("    loud wrote (the last 20 of "))
      #expect(reports[0].contains("\n      line 30\n"))
      #expect(!reports[0].contains("line 5\n"))
      #expect(reports[0].contains("no use for Hi"))
      for report in reports[1...] {
        #expect(report.contains("line 30") && report.contains("no use for Hi"), "\(report)")
      }
      try desk.folder.write(scenario("undeliverable"), to: "loud.yaml")
      for report in try desk.reports("run", "loud.yaml", "--verbose", formats: formats, ends: 0) {
        #expect(!report.contains("line 30"), "\(report)")
      }
    }

    @Test func `a failure report shows the last output of a crashed program`() throws {
      try desk.folder.write(
        """
        #!/bin/sh
        echo "Traceback (most recent call last):" >&2
        echo "ValueError: no device" >&2
        exit 3

        """, to: "dying.sh")
      try Executable.make(desk.folder.path("dying.sh"))
      try desk.folder.write(
        """
        apps:
          dying: { bundle: org.example.dying, executable: dying.sh }
        steps:
          - launch: dying

        """, to: "dying.yaml")
      for _ in 1...10 {
        let report = try desk.sluice("run", "dying.yaml").output
        #expect(
          report.contains(
            "    dying wrote\n      Traceback (most recent call last):\n      ValueError: no device\n"
          ))
      }
    }

    @Test func `run --verbose shows the items that an extension returned`() throws {
      try desk.folder.write(
        """
        share.loaded(function(item) share.complete(item.text:upper()) end)
        """, to: "upper.lua")
      try desk.folder.write(
        """
        apps:
          a: { bundle: org.example.a }
          upper:
            bundle: org.example.a.upper
            extension: action
            containingApp: a
            executable: upper.lua
            activationRule: TRUEPREDICATE
        steps:
          - launch: a
          - share: { from: a, to: upper, text: quiet }

        """, to: "upper.yaml")
      let ended = try desk.sluice("run", "upper.yaml", "--verbose")
      #expect(ended.output.contains("completeExtension allowed by noRuleApplied, delivered\n"))
      #expect(ended.output.contains("  handed back `QUIET`\n"))
    }

    @Test func `a TAP report has a plan and a point for each file and case`() throws {
      let ended = try desk.sluice("run", "failing.yaml", "--format", "tap", ends: 1)
      let tap = try #require(TAP(ended.lines))
      #expect(tap.plan == 1)
      #expect(tap.points.map(\.isOK) == [false])
      let cases = try #require(TAP(tap.subtest, isSubtest: true))
      #expect(cases.plan == 3)
      #expect(cases.points.map(\.isOK) == [false, true, false])
      #expect(
        cases.points.map(\.title)
          == [
            "an item is kept back", ##"an app starts \# once (expects nothing)"##,
            "an app starts twice",
          ])
    }

    @Test func `sluice run can write its report to several files in different formats`() throws {
      let usual = try desk.sluice("run", "failing.yaml")
      try desk.sluice(
        "run", "failing.yaml", "--output", "json=report.json", "--output", "junit=report.xml",
        "--output", "tap=report.tap", "--output", "text=report.txt", "--color", "always", ends: 1)
      #expect(try JSONReader.read(desk.folder.read("report.json"))["counts"] != nil)
      #expect(try XMLElements(desk.folder.read("report.xml")).named("testcase").count == 3)
      #expect(TAP(try desk.folder.read("report.tap").split(separator: "\n"))?.plan == 1)
      #expect(try desk.folder.read("report.txt") == usual.output)
    }

    @Test
    func `if a report file is unwritable, sluice run prints the text report and exits with 2`()
      throws
    {
      let ended = try desk.sluice(
        "run", "failing.yaml", "--output", "json=none/report.json", ends: 2)
      #expect(ended.output.hasPrefix("Failing & <more> (failing.yaml)\n"))
      #expect(
        ended.errors
          == "none/report.json: error: cannot be written: no such file or directory [file]\n")
    }

    @Test func `the file extension of an output determines the report format`() throws {
      try desk.sluice(
        "run", "failing.yaml", "--output", "report.xml", "--output", "report.JSON", ends: 1)
      #expect(try XMLElements(desk.folder.read("report.xml")).named("testcase").count == 3)
      #expect(try JSONReader.read(desk.folder.read("report.JSON"))["counts"] != nil)
      let unknown = try desk.sluice("run", "failing.yaml", "--output", "jsn=report.json", ends: 64)
      #expect(unknown.errors.contains("expected FORMAT=PATH, as in json=report.json, where FORMAT"))
      #expect(unknown.errors.contains("; did you mean `json`?"))
    }

    @Test func `sluice run --verbose shows the steps and deciding rules of passing cases`() throws {
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      let brief = try desk.sluice("run", "passing.yaml")
      let verbose = try desk.sluice("run", "passing.yaml", "--verbose")
      #expect(!brief.output.contains("noRuleApplied"))
      #expect(verbose.output.contains("2. a shares `Hi` with b\n"))
      #expect(verbose.output.contains("share allowed by noRuleApplied, delivered\n"))
    }
  }
}
