import Analysis
import Foundation
import Policy
import TestSupport
import Testing

@Suite struct PolicyTableTests {
  private static let policies = [
    Samples.document("common", Samples.common), Samples.document("revised", Samples.revised),
  ]

  @Test func `tables of several policies match the golden files`() throws {
    let table = PolicyTable(Self.policies)
    try checkGolden(table.text(), "Tests/AnalysisTests/Golden/matrix-beside.txt")
  }

  @Test func `the HTML comparison of two policies shows their flow matrices side by side`() throws {
    let page = try HTMLElement(page: PolicyTable(Self.policies).html())
    let matrices = Self.policies.map { FlowMatrix($0, among: Self.policies) }
    let files = matrices.map(\.file)
    let states = matrices[0].states
    #expect(page.all("h1").map(\.line) == ["common and revised compared"])
    let tables = page.all("table")
    #expect(
      tables.map { $0.all("caption")[0].line } == ["Decided differently"]
        + matrices[0].sections.map(\.title))
    var differing: [[String]] = []
    for (table, sections) in zip(
      tables.dropFirst(), zip(matrices[0].sections, matrices[1].sections))
    {
      #expect(
        table.all("thead")[0].all("th").map { $0.line.split(separator: "\n").first } == [
          "Flow", "A", "B",
        ])
      let expected = zip(sections.0.rows, sections.1.rows).flatMap { old, new in
        zip(sections.0.columns, zip(old.entries, new.entries)).filter { $1.0 != nil }.flatMap {
          parties, entries in
          FlowMatrixTests.pageRows([entries.0, entries.1], among: states, in: files)
            .map { (old.title, parties.replacing("->", with: "→"), $0) }
        }
      }
      let shown = FlowMatrixTests.shown(table)
      #expect(shown.count == expected.count)
      for (shown, (title, parties, row)) in zip(shown, expected) {
        let outcomes = row.cells.map { $0.filter { $0 != "?" } }
        let isDiffering = outcomes[0] != outcomes[1]
        #expect(shown.cells == row.cells)
        #expect(shown.notes.map(Set.init) == row.notes.map(Set.init))
        #expect(shown.head.all("a")[0].line == (isDiffering ? "≠ " : "") + title)
        #expect(shown.head.all("small")[0].line.hasPrefix(parties))
        if isDiffering { differing.append(row.cells) }
      }
      for row in table.all("tbody")[0].all("tr") {
        let cells = row.all("td")
        #expect(cells.map { $0.attributes["data-column"] } == ["A", "B"])
        let isDiffering = row.all("a")[0].line.hasPrefix("≠")
        #expect(
          cells.map { $0.attributes["class"]?.hasSuffix(" differs") } == [false, isDiffering])
      }
    }
    #expect(differing.count == 6)
    #expect(FlowMatrixTests.shown(tables[0]).map(\.cells) == differing)
  }

  @Test func `a table of three policies is at most 120 columns wide`() {
    let third = Samples.document("third") { $0.allowedOutboundDataTransferDestinations = .none }
    let text = PolicyTable(Self.policies + [third]).text(detail: .reasons)
    #expect(text.split(separator: "\n").map(\.count).max() ?? 0 <= 120)
    #expect(text.contains("\nC: third (third.json)\n"))
  }

  @Test func `a table of two equal policies states that they decide all flows in the same way`() {
    let text = PolicyTable([Self.policies[0], Self.policies[0]]).text()
    #expect(text.contains("the policies decide all flows in the same way"))
    #expect(!text.contains("≠"))
  }

  /// The lengths, schemes and links of each policy have rows in all tables.
  @Test func `the flow matrices of compared policies have the same rows`() {
    let other = Samples.document("other") {
      $0.exemptedAppProtocols = ["zoomus"]
      $0.allowedOutboundClipboardSharingExceptionLength = 7
    }
    let documents = Self.policies + [other]
    let titles = documents.map { document in
      FlowMatrix(document, among: documents).sections.map { $0.rows.map(\.title) }
    }
    #expect(Set(titles).count == 1)
    let rows = Set(titles[0].joined())
    #expect(rows.isSuperset(of: ["Exempted scheme, zoomus:", "Exempted scheme, skype:"]))
    #expect(
      rows.isSuperset(of: ["Paste, 7 characters", "Paste, 20 characters", "Paste, 50 characters"]))
  }

  /// On a phone, cells are stacked, so each cell must name its column.
  @Test func `each table cell of a policy page names its column for narrow screens`() throws {
    for html in [PolicyTable(Self.policies).html(), [FlowMatrix(Self.policies[0])].html()] {
      let cells = html.components(separatedBy: "<td class=").dropFirst()
      #expect(!cells.isEmpty)
      #expect(cells.allSatisfy { $0.prefix { $0 != ">" }.contains("data-column=\"") })
      #expect(html.contains("width=device-width"))
      #expect(html.contains("@media (max-width: 40em)"))
    }
  }

  /// Each term of the Terms section, with the texts that require it, in the order of the section.
  private static let terms = [
    ("managed", ["managed"]), ("unmanaged", ["unmanaged"]),
    ("personal account", ["personal account"]), ("other org", ["other org"]),
    ("by the SDK", ["by the SDK"]), ("by the system", ["by the system"]),
    ("ways out", ["ways out"]), ("kinds of flows", ["kinds of flows"]),
    ("encrypted", ["encrypted"]), ("?", ["blocked?", "encrypted?", "allowed?"]),
    ("devices", ["unenrolled", "no UPN", "enrolled"]),
  ]

  /// Returns the terms that occur in a report without its Terms section.
  private static func terms(in report: String) throws -> [String] {
    try terms.filter { _, spellings in
      try spellings.contains { spelling in
        let phrase = spelling.replacing("?", with: #"\?"#)
        return try report.contains(Regex(#"(?:^|\P{L})\#(phrase)(?:\P{L}|$)"#))
      }
    }.map(\.0)
  }

  @Test func `the Terms section of a report explains exactly the terms that the report uses`()
    throws
  {
    let old = Self.policies[0]
    let pair = PolicySetComparison.Pair(old, Self.policies[1])
    let texts = [
      PolicyTable(Self.policies).text(), [FlowMatrix(old)].text(),
      pair.comparison.text(old: "a", new: "b"),
    ]
    for text in texts {
      let parts = text.components(separatedBy: "\nTerms\n")
      try #require(parts.count == 2)
      let shown = parts[1].split(separator: "\n").filter { !$0.hasPrefix("    ") }
        .map { String($0.dropFirst(2).prefix { $0 != ":" }) }
      #expect(shown == (try Self.terms(in: parts[0])))
    }
    for html in [PolicyTable(Self.policies).html(), [FlowMatrix(old)].html(), pair.html()] {
      let text = try html.replacing(Regex(#"(?s)<(style|script|dl).*?</\1>"#), with: "")
        .replacing(/<[^>]*>/, with: " ")
      #expect(try HTMLElement(page: html).all("dt").map(\.line) == Self.terms(in: text))
    }
  }
}
