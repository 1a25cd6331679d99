@testable import Analysis
import Encodings
import GraphDocuments
import Model
import Policy
import TestSupport
import Testing

@Suite struct FlowMatrixTests {
  private static let matrix = [FlowMatrix(Samples.document("common", Samples.common))]

  @Test(arguments: ["matrix.txt", "matrix-reasons.txt", "matrix.json", "matrix.csv"])
  func `flow matrices match the golden files`(file: String) throws {
    let text =
      switch file {
      case "matrix.txt": Self.matrix.text()
      case "matrix-reasons.txt": Self.matrix.text(detail: .reasons)
      case "matrix.json": Self.matrix.json()
      default:  // open: the spreadsheet
        Self.matrix.csv()
      }
    try checkGolden(text, "Tests/AnalysisTests/Golden/\(file)")
  }

  @Test func `a cell of the page lists its reasons below its column`() throws {
    let page = try HTMLElement(page: Self.matrix.html())
    let matrix = Self.matrix[0]
    #expect(page.all("h2").map(\.line) == [matrix.name])
    let tables = page.all("table")
    #expect(tables.map { $0.all("caption")[0].line } == matrix.sections.map(\.title))
    for (table, section) in zip(tables, matrix.sections) {
      let (head, rows) = (table.all("thead")[0], table.all("tbody")[0].all("tr"))
      #expect(head.all("th").map(\.line) == ["Flow"] + section.columns)
      #expect(rows.map { $0.all("th")[0].line } == section.rows.map(\.title))
      for (shown, row) in zip(rows, section.rows) {
        let cells = shown.all("td")
        #expect(cells.count == row.entries.count)
        for ((cell, entry), column) in zip(zip(cells, row.entries), section.columns) {
          #expect(cell.attributes == Self.attributes(of: entry, below: column))
          #expect(
            cell.children.map(\.text)
              == Self.lines(of: entry, among: matrix.states, in: matrix.file))
        }
      }
    }
  }

  private static func attributes(of entry: FlowMatrix.Entry?, below column: String)
    -> [String: String]
  {
    guard let strictest = entry?.cells.map(\.outcome).min() else { return [:] }
    return ["class": strictest.rawValue, "data-column": column]
  }

  /// An answer and its reason for each group of states that share it. Lines of `file` are cited by
  /// number.
  static func lines(
    of entry: FlowMatrix.Entry?, among states: [ManagementState], in file: String
  ) -> [String] {
    let words: [ManagementState: String] = [
      .unenrolled: "unenrolled", .enrolledWithoutUPN: "no UPN", .enrolled: "enrolled",
    ]
    let symbols: [Outcome: String] = [.allowed: "✓", .blocked: "✗", .encrypted: "◆"]
    return (entry?.cells ?? []).flatMap { cell in
      let device = cell.states.compactMap { words[$0] }.joined(separator: ", ") + ": "
      let answer = "\(symbols[cell.outcome] ?? "") \(cell.outcome.rawValue)"
      return [
        (cell.states == states ? "" : device) + answer,
        cell.reasonText.replacing("(\(file):", with: "(line "),
      ]
    }
  }

  @Test func `the matrix has every channel that a policy can restrict`() {
    let shown = Set(Self.matrix[0].sections.flatMap(\.rows).map(\.channel))
    #expect(shown == Set(FlowMatrix.channels))
  }

  @Test func `the text fits the width of a page`() {
    for detail in [FlowMatrix.Detail.outcomes, .reasons] {
      let widths = Self.matrix.text(detail: detail).split(separator: "\n").map(\.count)
      #expect(widths.max() ?? 0 <= 120)
    }
  }

  @Test func `a channel filter limits the matrix to those channels`() {
    let matrix = FlowMatrix(Samples.document("common"), channels: [.print, .saveTo])
    #expect(Set(matrix.sections.flatMap(\.rows).map(\.channel)) == [.print, .saveTo])
    #expect(matrix.sections.count == 2)
  }

  @Test func `states in which the policy is not targeted are left out`() {
    let matrix = FlowMatrix(Samples.document("mdm", levels: [.mdm], Samples.common))
    #expect(matrix.states == [.enrolled])
    #expect([matrix].csv().split(separator: "\n").dropFirst().allSatisfy { $0.contains(",any,") })
    #expect([matrix].text().contains("targeted at devices: enrolled\n"))
  }

  @Test func `system sharing appears for enrolled devices only`() throws {
    let row = try #require(
      Self.matrix[0].sections.flatMap(\.rows).first { $0.channel == .share && $0.via == .os })
    let cells = try #require(row.entries[2]).cells
    #expect(cells.map(\.outcome) == [.encrypted, .allowed])
    #expect(cells.map(\.states) == [[.unenrolled, .enrolledWithoutUPN], [.enrolled]])
    #expect(cells[1].reason.rule == .osSharing)
  }

  @Test func `only the dialer that the policy names receives calls`() {
    let document = Samples.document("named") {
      $0.dialerRestrictionLevel = .customApp
      $0.customDialerAppProtocol = "call"
      $0.protectedMessagingRedirectAppType = .specificApps
      $0.messagingRedirectAppUrlScheme = "no_scheme"
    }
    let rows = FlowMatrix(document, channels: [.openURL]).sections.flatMap(\.rows)
    let answers = rows.suffix(3).map { row in
      let rules = row.entries.compactMap { $0?.cells.first?.reason.rule.rawValue }
      return "\(row.title) \(rules.joined(separator: " "))"
    }
    #expect(
      answers == [
        "Phone call, tel: dialerOtherApp dialerOtherApp unmanagedSender",
        "Phone call, tel: in call: dialerSpecificApp dialerSpecificApp unmanagedSender",
        "Message, sms: messagingBlocked messagingBlocked unmanagedSender",
      ])
    let json = [FlowMatrix(document, channels: [.openURL])].json()
    #expect(json.contains(#""url":"tel:+15550100","opener":"call""#))
  }

  @Test func `names are escaped in every format`() throws {
    let name = "<script>\"x\",\n\u{1B}[31m&'"
    let matrix = [FlowMatrix(Samples.document(name))]
    #expect(!matrix.html().contains("<script>"))
    #expect(matrix.html().contains("&lt;script&gt;&quot;x&quot;,"))
    #expect(!matrix.text().contains("\u{1B}"))
    #expect(matrix.csv().contains("\"<script>\"\"x\"\",\n"))
    #expect(try JSONReader.read(matrix.json())["policies"]?.array?[0]["policy"]?.string == name)
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("\r\n=1+1", "\"'\r\n=1+1\""), ("\n=1+1", "\"'\n=1+1\""),
    ("=\u{301}1", "'=\u{301}1"), ("a,\u{301}b", "\"a,\u{301}b\""),
  ])
  func `names are single fields in CSV, never spreadsheet formulas`(name: String, field: String) {
    let matrix = [FlowMatrix(Samples.document(name))]
    #expect(matrix.csv().contains("\n\(field),share"))
  }
}
