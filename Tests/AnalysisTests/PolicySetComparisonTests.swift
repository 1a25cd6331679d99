import Analysis
import Foundation
import GraphDocuments
import JSON
import Model
import Policy
import Testing

@Suite struct PolicySetComparisonTests {
  private static func document(
    _ name: String, id: String? = nil, _ edit: (inout Settings) -> Void = { _ in }
  ) -> PolicyDocument {
    var document = Samples.document(name, edit)
    document.id = id
    return document
  }

  /// A policy that was renamed keeps its id; one that was imported anew keeps its name.
  @Test func policiesArePairedByIdThenByName() {
    let comparison = PolicySetComparison(
      [
        Self.document("Renamed", id: "1"), Self.document("Moved", id: "2"),
        Self.document("Gone", id: "3"), Self.document("Twin"), Self.document("Twin"),
      ],
      [
        Self.document("Twin"), Self.document("Moved", id: "9"),
        Self.document("Now", id: "1") { $0.printBlocked = true },
        Self.document("Twin") { $0.minimumPinLength = 8 }, Self.document("Fresh", id: "4"),
      ])
    #expect(comparison.added.map(\.displayName) == ["Fresh"])
    #expect(comparison.removed.map(\.displayName) == ["Gone"])
    #expect(comparison.unchanged.map(\.new.displayName) == ["Moved", "Twin"])
    #expect(
      comparison.changed.map { "\($0.old.displayName) \($0.new.displayName)" } == [
        "Renamed Now", "Twin Twin",
      ])
    #expect(!comparison.isSameBehaviour)
  }

  @Test func anIdIsNeverPairedByNameWhileAnotherHasIt() {
    let comparison = PolicySetComparison(
      [Self.document("A", id: "1"), Self.document("B", id: "2")],
      [Self.document("A", id: "2"), Self.document("B", id: "1")])
    #expect(
      comparison.unchanged.map { [$0.old.id, $0.new.id] } == [["1", "1"], ["2", "2"]])
  }

  @Test func whomAPolicyIsForIsAChangeOfNoFlow() {
    let old = Self.document("P")
    var new = old
    new.targeting = Targeting(bundleIDs: ["com.contoso.mail"], levels: [.mdm])
    let comparison = PolicySetComparison([old], [new])
    #expect(comparison.isSameBehaviour)
    #expect(
      comparison.changed.first?.comparison.targeting.map(\.text) == [
        "Apps: no other -> com.contoso.mail", "Device types: all -> mdm",
      ])
  }

  @Test func aSetLooksAsItDid() throws {
    let comparison = PolicySetComparison(
      [Self.document("common", Samples.common), Self.document("gone")],
      [Self.document("common", Samples.revised), Self.document("fresh")])
    try Golden.check(comparison.text(old: "old", new: "new"), "diff-set.txt")
    try Golden.check(comparison.json(old: "old", new: "new"), "diff-set.json")
    try Golden.check(comparison.html(old: "old", new: "new"), "diff-set.html")
    _ = try JSONReader.read(comparison.json(old: "old", new: "new"))
  }

  @Test func aPairAsHTMLHasItsSummaryBeforeItsTables() throws {
    let html = PolicySetComparison.Pair(
      Self.document("old", Samples.common), Self.document("new", Samples.revised)
    ).html()
    let summary = try #require(html.range(of: "Become possible: "))
    let table = try #require(html.range(of: "<h3>Side by side</h3>"))
    #expect(summary.lowerBound < table.lowerBound)
    #expect(html.contains("class=\"blocked differs\""))
  }

  @Test func namesCannotBreakOut() {
    let name = "<script>\u{1B}[31m"
    let comparison = PolicySetComparison([Self.document(name)], [])
    #expect(!comparison.html(old: name, new: "b").contains("<script>"))
    #expect(!comparison.text(old: name, new: "b").contains("\u{1B}"))
  }
}
