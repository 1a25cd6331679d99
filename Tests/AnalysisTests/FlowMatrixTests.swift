@testable import Analysis
import Encodings
import GraphDocuments
import Model
import Output
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

  /// A row of a page: the device states that it is for, its cells, and the notes of each cell.
  struct PageRow: Equatable {
    var states: [ManagementState]
    var cells: [String]
    var notes: [[String]]
  }

  /// Returns the rows of a flow that a page must show: one for each group of states with equal outcomes.
  static func pageRows(
    _ entries: [FlowMatrix.Entry?], among states: [ManagementState], in files: [String]
  ) -> [PageRow] {
    let symbols: [Outcome: String] = [.allowed: "✓", .blocked: "✗", .encrypted: "◆"]
    var rows: [PageRow] = []
    for state in states {
      let found = entries.map { entry in entry?.cells.first { $0.states.contains(state) } }
      let cells = found.map { cell in
        cell.map {
          let isDoubtful = [.assumed, .contested].contains($0.reason.standing.level)
          return "\(symbols[$0.outcome] ?? "") \($0.outcome.rawValue)\(isDoubtful ? "?" : "")"
        } ?? ""
      }
      let notes = zip(found, files).map { cell, file in
        cell.map { [$0.reasonText(in: file)] } ?? []
      }
      if let index = rows.firstIndex(where: { $0.cells == cells }) {
        rows[index].states.append(state)
        for (place, texts) in notes.enumerated() where !rows[index].notes[place].contains(texts) {
          rows[index].notes[place] += texts
        }
      } else {
        rows.append(PageRow(states: [state], cells: cells, notes: notes))
      }
    }
    return rows
  }

  /// Returns a table's cells without the numbers of their notes, and for each cell its notes in the last row.
  static func shown(_ table: HTMLElement) -> [(
    head: HTMLElement, cells: [String], notes: [[String]]
  )] {
    let foot = table.all("tfoot")[0].all("td").map { cell in
      cell.all("li").isEmpty ? [cell.line].filter { !$0.isEmpty } : cell.all("li").map(\.line)
    }
    return table.all("tbody")[0].all("tr").map { row in
      let cells = row.all("td")
      let notes = zip(cells, foot).map { cell, texts -> [String] in
        guard let numbers = cell.all("sup").first?.line else {
          return cell.line.isEmpty ? [] : texts
        }
        return numbers.split(separator: ",").map { texts[(Int($0.trimmed) ?? 0) - 1] }
      }
      let words = cells.map { cell in
        let number = cell.all("sup").first?.line ?? ""
        return String(cell.line.dropLast(number.count))
      }
      return (row.all("th")[0], words, notes)
    }
  }

  @Test func `the matrix page shows every flow, and lists each reason once per column`() throws {
    let page = try HTMLElement(page: Self.matrix.html())
    let matrix = Self.matrix[0]
    #expect(page.all("h1").map(\.line) == ["What common allows"])
    #expect(page.all("h2").map(\.line) == [matrix.name])
    let tables = page.all("table")
    #expect(tables.map { $0.all("caption")[0].line } == matrix.sections.map(\.title))
    for (table, section) in zip(tables, matrix.sections) {
      let columns = section.columns.map { $0.replacing("->", with: "→") }
      #expect(table.all("thead")[0].all("th").map(\.line) == ["Flow"] + columns)
      let files = section.columns.map { _ in matrix.file }
      let expected = section.rows.flatMap { row in
        Self.pageRows(row.entries, among: matrix.states, in: files).map { (row.title, $0) }
      }
      let shown = Self.shown(table)
      #expect(shown.count == expected.count)
      for (shown, (title, row)) in zip(shown, expected) {
        #expect(shown.head.all("a")[0].line == title)
        #expect(shown.cells == row.cells)
        #expect(shown.notes.map(Set.init) == row.notes.map(Set.init))
      }
      // Each reason of a column is listed once.
      for texts in table.all("tfoot")[0].all("td").map({ $0.all("li").map(\.line) }) {
        #expect(Set(texts).count == texts.count)
      }
    }
    #expect(!page.all("tbody").contains { $0.text.contains(matrix.file) })
  }

  @Test func `a flow matrix marks answers decided by assumed or contested rules in every format`()
    throws
  {
    let document = Samples.document("doubt") {
      $0.allowedOutboundDataTransferDestinations = .managedApps
    }
    let matrices = [FlowMatrix(document, channels: [.share])]
    let text = matrices.text(detail: .reasons)
    let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("Share, by the SDK") })
    let words = row.split(separator: " ").filter {
      $0.contains("allowed") || $0.contains("blocked")
    }
    #expect(words == ["allowed", "blocked?", "blocked", "allowed"])
    #expect(text.contains("] otherTenant: "))
    #expect(text.contains(" (assumed)\n"))
    #expect(text.contains("] sendManagedAppsToUnmanaged: "))
    #expect(text.contains(" (documented,"))
    #expect(text.contains("\n  ?: the deciding rule is assumed or contested"))
    #expect(!matrices.text().contains("(assumed)"))
    let cells = try HTMLElement(page: matrices.html()).all("tbody")[0].all("tr")[0].all("td")
    #expect(cells[1].line.hasPrefix("✗ blocked?"))
    #expect(cells[2].line.hasPrefix("✗ blocked") && !cells[2].line.contains("?"))
    let json = try JSONReader.read(Array(matrices.json().utf8))
    let sections = json["policies"]?.array?.first?["sections"]?.array
    let answers = sections?.first?["rows"]?.array?.first?["cells"]?.array ?? []
    #expect(
      answers.map { $0["standing"]?.string }
        == answers.map { $0["reason"]?["rule"]?.string }.map {
          $0.flatMap(Rule.init).map { $0.standing.level.rawValue }
        })
    #expect(answers.count { $0["standing"]?.string == "assumed" } == 1)
    let lines = matrices.csv().split(separator: "\n")
    #expect(lines[0].hasSuffix(",label,standing"))
    #expect(lines.dropFirst().contains { $0.contains(",otherTenant,") && $0.hasSuffix(",assumed") })
  }

  @Test func `each row of a matrix page names the device states to which it applies`() throws {
    let page = try HTMLElement(page: Self.matrix.html())
    let rows = page.all("tbody")[0].all("tr").filter {
      $0.all("th")[0].all("a")[0].line == "Share, by the system"
    }
    #expect(
      rows.map { $0.all("small").map(\.line) } == [
        ["devices: unenrolled, no UPN"], ["devices: enrolled"],
      ])
  }

  @Test func `a matrix page begins with a summary of how org data can leave`() throws {
    let closed = Samples.document("closed") {
      $0.allowedOutboundDataTransferDestinations = .none
      $0.printBlocked = true
    }
    let page = try HTMLElement(page: [FlowMatrix(closed, channels: [.print, .share])].html())
    #expect(
      page.all("header")[0].all("p").map(\.line) == [
        "Org data to unmanaged apps, storage without an account and the system: 0 of 3 ways out are open, 1 encrypted, 2 blocked."
      ])
    let open = try HTMLElement(
      page: [FlowMatrix(Samples.document("open"), channels: [.print, .share])].html())
    #expect(
      open.all("header")[0].all("p").map(\.line).last
        == "Org data to unmanaged apps, storage without an account and the system: 3 of 3 ways out are open, 0 encrypted, 0 blocked."
    )
    #expect(
      open.all("ul")[0].all("li").map(\.line) == [
        "`Send org data to other apps` = `Policy managed apps`: Share, by the SDK; Share, by the system",
        "`Printing Org data` = `Block`: Print",
      ])
  }

  @Test func `the matrix has every channel that a policy can restrict`() {
    let shown = Set(Self.matrix[0].sections.flatMap(\.rows).map(\.channel))
    #expect(shown == Set(FlowMatrix.channels))
  }

  @Test func `a matrix as text is at most 120 columns wide`() {
    for detail in [FlowMatrix.Detail.outcomes, .reasons] {
      let widths = Self.matrix.text(detail: detail).split(separator: "\n").map(\.count)
      #expect(widths.max() ?? 0 <= 120)
    }
  }

  @Test func `a channel filter limits the matrix to the given channels`() {
    let matrix = FlowMatrix(Samples.document("common"), channels: [.print, .saveTo])
    #expect(Set(matrix.sections.flatMap(\.rows).map(\.channel)) == [.print, .saveTo])
    #expect(matrix.sections.count == 2)
  }

  @Test func `a matrix leaves out device states that the policy does not target`() {
    let matrix = FlowMatrix(Samples.document("mdm", levels: [.mdm], Samples.common))
    #expect(matrix.states == [.enrolled])
    #expect([matrix].csv().split(separator: "\n").dropFirst().allSatisfy { $0.contains(",any,") })
    #expect([matrix].text().contains("targeted at devices: enrolled\n"))
  }

  @Test func `a matrix shows system sharing as allowed only on devices with an enrolled UPN`()
    throws
  {
    let row = try #require(
      Self.matrix[0].sections.flatMap(\.rows).first { $0.channel == .share && $0.via == .os })
    let cells = try #require(row.entries[2]).cells
    #expect(cells.map(\.outcome) == [.encrypted, .allowed])
    #expect(cells.map(\.states) == [[.unenrolled, .enrolledWithoutUPN], [.enrolled]])
    #expect(cells[1].reason.rule == .osSharing)
  }

  @Test func `the flow matrix has a row for phone calls in the policy's dialer`() {
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

  @Test func `the matrix page permits only its own script, which is the same for every policy`()
    throws
  {
    let scripts = { (matrices: [FlowMatrix]) throws in
      let page = try HTMLElement(page: matrices.html())
      let policies = page.all("meta").compactMap { $0.attributes["content"] }
      return (page.all("script").map(\.text), policies.filter { $0.hasPrefix("default-src") })
    }
    let (codes, policies) = try scripts(Self.matrix)
    let code = try #require(codes.first)
    #expect(codes.count == 1)
    #expect(
      policies == [
        "default-src 'none'; style-src 'unsafe-inline'; script-src '\(HTMLWriter.source(of: code))'"
      ])
    #expect(try scripts([FlowMatrix(Samples.document("other"), channels: [.print])]).0 == codes)
    #expect(Self.matrix.html().utf8.count < 200 << 10)
  }

  @Test func `a matrix escapes policy names in every format`() throws {
    let name = "<script>\"x\",\n\u{1B}[31m&'"
    let matrix = [FlowMatrix(Samples.document(name))]
    #expect(!matrix.html().contains("<script>\"x"))
    #expect(matrix.html().contains("&lt;script&gt;&quot;x&quot;,"))
    #expect(!matrix.text().contains("\u{1B}"))
    #expect(matrix.csv().contains("\"<script>\"\"x\"\",\n"))
    #expect(try JSONReader.read(matrix.json())["policies"]?.array?[0]["policy"]?.string == name)
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("\r\n=1+1", "\"'\r\n=1+1\""), ("\n=1+1", "\"'\n=1+1\""),
    ("=\u{301}1", "'=\u{301}1"), ("a,\u{301}b", "\"a,\u{301}b\""),
  ])
  func `a policy name is a single CSV field in a matrix, never a spreadsheet formula`(
    name: String, field: String
  ) {
    let matrix = [FlowMatrix(Samples.document(name))]
    #expect(matrix.csv().contains("\n\(field),share"))
  }
}
