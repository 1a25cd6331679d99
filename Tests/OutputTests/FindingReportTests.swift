import Encodings
import Output
import Testing

@Suite struct FindingReportTests {
  private enum Rule: String, FindingRule, CaseIterable {
    case empty, missing

    var severity: Severity { .warning }
    var summary: String { "A \(rawValue) file." }
    var help: String { self == .empty ? "Fill it." : "" }
  }

  private static func finding(_ rule: Rule, _ file: String) -> Finding<Rule> {
    Finding(rule, file: file, at: Position(line: 1, column: 2), "`\(file)` is \(rule.rawValue)")
  }

  private static let old = [finding(.empty, "a"), finding(.missing, "b")]
  private static let new = [finding(.missing, "b"), finding(.empty, "c")]

  @Test func `a finding is new or unchanged since the baseline, or resolved`() {
    #expect(
      FindingReport(Self.new, since: Self.old).text == """
        Resolved
        a:1:2: warning: `a` is empty [empty]
          help: Fill it.

        New
        c:1:2: warning: `c` is empty [empty]

        Unchanged
        b:1:2: warning: `b` is missing [missing]

        0 errors, 2 warnings, 0 notes; 1 new, 1 resolved

        """)
    #expect(
      FindingReport(Self.old, since: Self.old).text == """
        Unchanged
        a:1:2: warning: `a` is empty [empty]
          help: Fill it.
        b:1:2: warning: `b` is missing [missing]

        0 errors, 2 warnings, 0 notes; 0 new, 0 resolved

        """)
    #expect(!FindingReport([], since: Self.old).hasFindings(from: .note))
  }

  @Test func `a report without a baseline marks no finding as new`() throws {
    let report = FindingReport(Self.new)
    #expect(report.text.hasSuffix("\n0 errors, 2 warnings, 0 notes\n"))
    var writer = JSONWriter()
    report.writeJSON(to: &writer)
    let json = try JSONReader.read(writer.text)
    #expect(json["findings"]?.array?.map { $0["isNew"] == nil } == [true, true])
    #expect(json["resolved"] == nil)
  }

  @Test(arguments: [(nil, ["5", "1", "2", "3", "4"]), ("b", ["2", "4", "5", "1", "3"])])
  func `findings are ordered by file, then by position`(
    first: String?, messages: [String]
  ) {
    let places: [(file: String, position: Position?)] = [
      ("a", Position(line: 1, column: 2)), ("b", Position(line: 1, column: 2)),
      ("a", Position(line: 1, column: 10)), ("b", Position(line: 2, column: 1)), ("a", nil),
    ]
    let findings = places.enumerated().map { index, place in
      Finding(Rule.empty, file: place.file, at: place.position, "\(index + 1)")
    }
    #expect(Finding.inOrder(findings, first: first).map(\.message) == messages)
  }

  @Test func `JSON and SARIF mark new and resolved findings`() throws {
    let report = FindingReport(Self.new, since: Self.old)
    var writer = JSONWriter()
    report.writeJSON(to: &writer)
    let json = try JSONReader.read(writer.text)
    #expect(json["findings"]?.array?.map { $0["isNew"]?.bool } == [false, true])
    #expect(json["resolved"]?.array?.map { $0["file"]?.string } == ["a"])
    var log = JSONWriter()
    report.writeSARIF(to: &log)
    let results = try JSONReader.read(log.text)["runs"]?.array?.first?["results"]?.array
    #expect(
      results?.map { $0["baselineState"]?.string } == ["unchanged", "new", "absent"])
  }
}
