import Analysis
import Foundation
import Model
import Policy
import Testing

@Suite struct PolicyTableTests {
  private static let policies = [
    Samples.document("common", Samples.common), Samples.document("revised", Samples.revised),
  ]

  @Test func tablesBesideOneAnotherLookAsTheyDid() throws {
    let table = PolicyTable(Self.policies)
    try Golden.check(table.text(), "matrix-beside.txt")
    try Golden.check(table.html(), "matrix-beside.html")
  }

  @Test func threePoliciesFitAPage() {
    let third = Samples.document("third") { $0.allowedOutboundDataTransferDestinations = .none }
    let text = PolicyTable(Self.policies + [third]).text(detail: .reasons)
    #expect(text.split(separator: "\n").map(\.count).max() ?? 0 <= 120)
    #expect(text.contains("\nC: third (third.json)\n"))
  }

  @Test func policiesThatDecideAlikeHaveNoMark() {
    let text = PolicyTable([Self.policies[0], Self.policies[0]]).text()
    #expect(text.contains("every flow is decided alike"))
    #expect(!text.contains("≠"))
  }

  /// Each policy's lengths, schemes and links have rows in the tables of all.
  @Test func tablesBesideOneAnotherHaveTheSameRows() {
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

  /// On a phone cells stand below one another, so that each must name its column.
  @Test func cellsNameTheirColumn() throws {
    for html in [PolicyTable(Self.policies).html(), [FlowMatrix(Self.policies[0])].html()] {
      let cells = html.components(separatedBy: "<td class=").dropFirst()
      #expect(!cells.isEmpty)
      #expect(cells.allSatisfy { $0.prefix { $0 != ">" }.contains("data-column=\"") })
      #expect(html.contains("width=device-width"))
      #expect(html.contains("@media (max-width: 40em)"))
    }
  }

  @Test func theWordsAreExplained() {
    let old = Self.policies[0]
    let pair = PolicySetComparison.Pair(old, Self.policies[1])
    let texts = [
      PolicyTable(Self.policies).text(), [FlowMatrix(old)].text(),
      pair.comparison.text(old: "a", new: "b"),
    ]
    for text in texts {
      #expect(text.contains("\n  managed: ") && text.contains("\n  by the SDK: "))
    }
    for html in [PolicyTable(Self.policies).html(), [FlowMatrix(old)].html(), pair.html()] {
      #expect(html.contains("<dt>managed</dt>") && html.contains("<dt>by the SDK</dt>"))
    }
  }
}
