import Analysis
import Encodings
import Foundation
import GraphDocuments
import Policy
import TestSupport
import Testing

@Suite struct PolicySetComparisonTests {
  private static func document(
    _ name: String, id: String? = nil, _ edit: (inout Settings) -> Void = { _ in }
  ) -> PolicyDocument {
    var document = Samples.document(name, edit)
    document.id = id
    return document
  }

  /// A renamed policy keeps its id, and a reimported policy keeps its name.
  @Test func `policies of two sets are paired by id, then by name`() {
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

  @Test func `policies with the same id are paired before policies with the same name`() {
    let comparison = PolicySetComparison(
      [Self.document("A", id: "1"), Self.document("B", id: "2")],
      [Self.document("A", id: "2"), Self.document("B", id: "1")])
    #expect(
      comparison.unchanged.map { [$0.old.id, $0.new.id] } == [["1", "1"], ["2", "2"]])
  }

  @Test func `a changed targeting is listed, but does not count as changed behaviour`() {
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

  @Test func `a change of targeting cites the lines of the targeting properties`() {
    var old = Self.document("P")
    old.targetingLines = [.apps: 6]
    var new = old
    new.targeting = Targeting(bundleIDs: ["com.contoso.mail"], levels: [.mdm])
    new.targetingLines = [.apps: 8, .targetedAppManagementLevels: 3]
    let comparison = PolicySetComparison([old], [new])
    #expect(
      comparison.changed.first?.comparison.targeting.map(\.text) == [
        "Apps: no other (\(old.file):6) -> com.contoso.mail (\(new.file):8)",
        "Device types: all -> mdm (\(new.file):3)",
      ])
  }

  @Test func `a comparison of policy sets matches the golden file`() throws {
    let comparison = PolicySetComparison(
      [Self.document("common", Samples.common), Self.document("gone")],
      [Self.document("common", Samples.revised), Self.document("fresh")])
    try checkGolden(
      comparison.text(old: "old", new: "new"), "Tests/AnalysisTests/Golden/diff-set.txt")
    try checkGolden(
      comparison.json(old: "old", new: "new"), "Tests/AnalysisTests/Golden/diff-set.json")
    _ = try JSONReader.read(comparison.json(old: "old", new: "new"))
  }

  @Test func `the HTML page of compared policy sets contains the changes of the text comparison`()
    throws
  {
    let comparison = PolicySetComparison(
      [Self.document("common", Samples.common), Self.document("gone")],
      [Self.document("common", Samples.revised), Self.document("fresh")])
    let page = try HTMLElement(page: comparison.html(old: "old", new: "new"))
    #expect(page.all("h1").map(\.line) == ["old → new"])
    #expect(
      page.all("header")[0].all("p").map(\.line) == [
        "Policies: 1 added, 1 removed, 1 changed, 0 unchanged."
      ])
    #expect(
      page.all("main")[0].children.first { $0.name == "p" }?.line
        == "3 kinds of flows become possible, 6 become impossible.")
    #expect(page.all("h2").map(\.line) == ["Added", "Removed", "Changed: common"])
    #expect(
      page.all("h3").map(\.line) == [
        "Become possible", "Become possible, but only in apps with SDK 7.0 or earlier",
        "Become impossible", "Become impossible, but only in apps with SDK 7.0 or earlier",
        "Side by side",
      ])
    let lists = page.all("ul")
    #expect(
      lists.prefix(3).map { $0.all("li").map(\.line) } == [
        ["fresh (fresh.json)"], ["gone (gone.json)"],
        [
          "A: common (common.json)", "B: common (common.json)",
          "Become possible: 2 kinds of flows",
          "Become possible, but only in apps with SDK 7.0 or earlier: 1 kind of flows",
          "Become impossible: 5 kinds of flows",
          "Become impossible, but only in apps with SDK 7.0 or earlier: 1 kind of flows",
          "Side by side, 6 flows are decided differently: they are marked with ≠",
        ],
      ])
    #expect(lists.dropFirst(3).map { $0.children.count } == [2, 1, 5, 1])
    // The text is split at white space, because the comparison is wrapped.
    let text = comparison.text(old: "old", new: "new").split { $0.isWhitespace }
      .joined(separator: " ")
    for flow in lists.dropFirst(3).flatMap(\.children) {
      let lines = flow.children.map(\.text)
      #expect(lines.count == 5)
      #expect(lines[1].hasPrefix("By ") && lines[2].hasPrefix("For example "))
      for line in lines[3...] { #expect(text.contains(line), "\(line)") }
    }
    #expect(
      lists.dropFirst(3).first?.children.map { $0.children[0].line } == [
        "managed → unmanaged app: URL (webex://open)", "managed → own account: Save to (Box)",
      ])
    #expect(page.all("table")[0].all("caption")[0].line == "Decided differently")
    let settings = page.all("table")[1].rows
    #expect(settings.first == ["Setting", "A", "B", "Effect"])
    #expect(
      settings.dropFirst().map { "\($0[0]): \($0[3])" } == [
        "Cut and copy character limit for any app: changes flows",
        "Transfer telecommunication data to: changes flows",
        "Select apps to exempt: changes flows",
        "Allow user to save copies to selected services: changes flows",
        "Printing Org data: changes flows",
        """
        Encrypt Org data: no flow changes. A: files of the account are stored encrypted; \
        B: files of the account are stored as the device's settings specify
        """,
        "Allow users to open data from selected services: no flow depends on this setting in either policy",
        "Select minimum PIN length: access and conditional launch",
        "Min OS version: access and conditional launch",
      ])
    #expect(
      settings.first { $0[0] == "Printing Org data" }.map { Array($0[1...2]) }
        == ["Allow (common.json:22)", "Block (common.json:22)"])
  }

  @Test func `the page that compares two policies has its summary before its tables`() throws {
    let html = PolicySetComparison.Pair(
      Self.document("old", Samples.common), Self.document("new", Samples.revised)
    ).html()
    #expect(html.contains("<h1>old → new</h1>"))
    #expect(html.contains("<p>3 kinds of flows become possible, 6 become impossible.</p>"))
    let summary = try #require(html.range(of: "Become possible: "))
    let table = try #require(html.range(of: "<h3>Side by side</h3>"))
    #expect(summary.lowerBound < table.lowerBound)
    #expect(html.contains("class=\"blocked differs\""))
  }

  @Test func `a comparison of policy sets escapes names in HTML and text`() {
    let name = "<script>\u{1B}[31m"
    let comparison = PolicySetComparison([Self.document(name)], [])
    #expect(comparison.html(old: name, new: "b").components(separatedBy: "<script>").count == 2)
    #expect(!comparison.text(old: name, new: "b").contains("\u{1B}"))
  }
}
