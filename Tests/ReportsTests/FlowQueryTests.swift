import Encodings
import Model
import TestSupport
import Testing

@testable import Reports

/// Compares queried chains with a search that enumerates every chain.
@Suite struct FlowQueryTests {
  /// Returns a story in which hops have random earlier hops as sources.
  private static func story(_ seed: UInt64) -> Story {
    var random = SeededGenerator(seed: seed)
    var story = Story()
    let apps = [
      Story.managed("mail"), Story.managed("notes"), Story.plain("viewer"), Story.plain("other"),
    ]
    for number in 1...30 {
      let count = number == 1 ? 0 : Int(random.next() % 3)
      let sources = (0..<count).map { _ in 1 + Int(random.next() % UInt64(number - 1)) }
      let owners = [Story.anna, "ben@fabrikam.com", ""]
      story.request(
        .share, by: apps[Int(random.next() % 4)], to: apps[Int(random.next() % 4)],
        of: owners[Int(random.next() % 3)],
        end: random.next() % 8 == 0 ? .undeliverable : .delivered
      ) { $0.from = sources }
    }
    return story
  }

  /// Returns all chains from an item back to their origins.
  private static func chains(to hop: Hop, in known: [Int: Hop]) -> [[Hop]] {
    let sources = hop.sources.compactMap { known[$0.item] }
    guard !sources.isEmpty else { return [[hop]] }
    return sources.flatMap { chains(to: $0, in: known) }.map { $0 + [hop] }
  }

  @Test(arguments: 1...40)
  func `a flow query and an exhaustive search find the same chains`(seed: Int) {
    let lineage = Self.story(UInt64(seed)).lineage
    let known = lineage.byNumber
    let queries = [
      FlowQuery(), FlowQuery(owner: "ANNA"), FlowQuery(owner: "ben@fabrikam.com"),
      FlowQuery(destination: "org.example.viewer"), FlowQuery(reach: .unmanaged),
      FlowQuery(owner: Story.anna, destination: "other", reach: .unmanaged),
    ]
    for query in queries {
      var expected: Set<Int> = []
      for hop in lineage.hops where query.isMet(by: hop) {
        let all = Self.chains(to: hop, in: known)
        // If the owner's data was moved along any of the chains, all sources of the item are shown.
        guard all.contains(where: { $0.contains { query.isOwner($0.owner) } }) else { continue }
        for chain in all { expected.formUnion(chain.map(\.number)) }
      }
      #expect(Set(lineage.chains(query).hops.map(\.number)) == expected, "\(query)")
    }
  }

  @Test func `a flow query without matches has an empty result`() {
    #expect(Self.story(1).lineage.chains(FlowQuery(owner: "nobody")).hops.isEmpty)
    #expect(Lineage([]).text == "no such data moved\n")
  }

  @Test(
    arguments: [
      (FlowQuery(), nil), (FlowQuery(owner: "anna", destination: "fleet"), nil),
      (FlowQuery(destination: "print"), nil), (FlowQuery(destination: "oneDriveForBusiness"), nil),
      (FlowQuery(destination: "feet"), "called `feet`; did you mean `fleet`?"),
      (FlowQuery(destination: "fleet-"), "called `fleet-`; did you mean `fleet`?"),
      (FlowQuery(owner: "ana"), "called `ana`; did you mean `anna`?"),
    ] as [(FlowQuery, String?)])
  func `an unknown name in a flow query is reported with a suggestion`(
    query: FlowQuery, objection: String?
  ) {
    var story = Story()
    var fleet = Story.managed("fleet")
    fleet.guest = "fleet-2"
    story.request(.share, by: Story.managed("mail"), to: fleet)
    let found = story.lineage.objection(to: query)
    #expect(objection.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "none")")
    #expect(story.lineage.chains(FlowQuery(destination: "fleet")).hops.count == 1)
  }

  @Test func `a flow query finds a renamed account under both names`() {
    var story = Story()
    let (mail, notes) = (Story.managed("mail"), Story.managed("notes"))
    let before = story.request(.share, by: mail, to: notes)
    story.add(.accountRenamed(account: Story.anna, to: "anna.smith@contoso.com"))
    let after = story.request(.share, by: notes, to: mail, of: "anna.smith@contoso.com")
    for owner in [Story.anna, "anna", "anna.smith@contoso.com", "ANNA.SMITH"] {
      #expect(
        story.lineage.chains(FlowQuery(owner: owner)).hops.map(\.number) == [before, after],
        "\(owner)")
      #expect(story.lineage.objection(to: FlowQuery(owner: owner)) == nil)
    }
  }

  @Test func `a flow query for a name that two accounts have used finds both accounts`() {
    var story = Story()
    let (mail, notes) = (Story.managed("mail"), Story.managed("notes"))
    let hers = story.request(.share, by: mail, to: notes)
    story.add(.accountRenamed(account: Story.anna, to: "smith@contoso.com"))
    let other = story.request(.share, by: notes, to: mail, of: "anna@fabrikam.com")
    #expect(
      story.lineage.chains(FlowQuery(owner: "anna")).hops.map(\.number) == [hers, other])
  }

  @Test
  func `a flow query accepts accounts without data and endpoints by their reported names`() {
    var story = Story()
    story.add(.accountSignedIn(app: "mail", account: "carl@fabrikam.com", isManaged: false))
    story.request(.share, by: Story.managed("mail"), to: Story.managed("notes"))
    #expect(story.lineage.objection(to: FlowQuery(owner: "carl")) == nil)
    #expect(story.lineage.objection(to: FlowQuery(owner: "karl")) != nil)
    let place = Holder.outside("box", account: "carl@fabrikam.com")
    #expect(place.isNamed("box") && place.isNamed("box of carl@fabrikam.com"))
    #expect(!place.isNamed("box of anna@contoso.com"))
  }
}

/// Tests chains as text, JSON and graphs.
@Suite struct LineageFormatTests {
  private static var lineage: Lineage {
    var story = Story()
    let share = story.request(.share, by: Story.managed("mail"), to: Story.managed("notes"))
    let file = story.file(
      "Containers/notes/a \"b\"<c>", .beginning, by: Story.managed("notes"), stating: [share])
    let saved = story.request(.saveTo, by: Story.managed("notes")) {
      ($0.subject, $0.from) = ("localDrive of no account", [share])
    }
    story.request(.share, by: Story.managed("notes"), to: Story.plain("viewer")) {
      ($0.from, $0.stated) = ([share], [file])
      $0.verdict.reasons[0].setting = "allowedOutboundDataTransferDestinations"
      $0.verdict.reasons[0].source = "org.json:7"
    }
    _ = saved
    return story.lineage
  }

  @Test func `the flows of several cases are drawn as one graph with a frame for each case`() {
    let cases = ["kept/1: a \"b\"", "kept/2: c"].map { (name: $0, lineage: Self.lineage) }
    let dot = Lineage.dot(of: cases)
    #expect(dot.hasPrefix("digraph flows {\n"))
    #expect(dot.contains("  subgraph cluster1 {\n  label=\"kept/1: a \\\"b\\\"\"\n"))
    #expect(
      dot.contains("case1origin1 -> case1item1") && dot.contains("case2origin1 -> case2item1"))
    #expect(dot.count { $0 == "{" } == dot.count { $0 == "}" })
    let mermaid = Lineage.mermaid(of: cases)
    #expect(mermaid.hasPrefix("flowchart LR\n  subgraph case1["))
    #expect(mermaid.contains("case2origin1 -->"))
    #expect(mermaid.split(separator: "\n").count { $0 == "  end" } == 2)
  }

  @Test func `a lineage's text has a tree for each origin and expands each item once`() {
    #expect(
      Self.lineage.text == """
        data of anna@contoso.com, made in mail (anna@contoso.com, managed)
        └─ 1 share → notes (anna@contoso.com, managed): noRuleApplied
           ├─ 2 openFile → Containers/notes/a "b"<c>, as the app says: noRuleApplied
           │  └─ 4 share → viewer [unmanaged], as the app says: noRuleApplied by \
        allowedOutboundDataTransferDestinations, org.json:7
           ├─ 3 saveTo → local storage [unmanaged]: noRuleApplied
           └─ 4 share → viewer [unmanaged]: noRuleApplied by \
        allowedOutboundDataTransferDestinations, org.json:7; see above

        """)
  }

  @Test func `the legend of printed flows explains each rule once`() {
    #expect(
      Lineage.legend(of: [Self.lineage, Self.lineage]) == """

        Rules
          noRuleApplied: no managed identity takes part, so no policy applies

        """)
    #expect(Lineage.legend(of: [Lineage([])]) == "")
  }

  @Test func `the lineage page has a row for each text line, with the rule's explanation`() throws {
    let lineage = Self.lineage
    var writer = JSONWriter()
    writer.object { lineage.writeTrees({ $0.number * 10 }, to: &$0) }
    let trees = try #require(try JSONReader.read(writer.text)["trees"]?.array)
    #expect(
      trees.map { $0["title"]?.string }
        == ["Data of anna@contoso.com, made in mail (anna@contoso.com, managed)"])
    let rows = try #require(trees[0]["rows"]?.array)
    // One row for each line of the text below a title.
    #expect(rows.count == lineage.text.split(separator: "\n").count - 1)
    #expect(rows.map { $0["depth"]?.int } == [0, 1, 2, 1, 1])
    #expect(rows.map { $0["row"]?.int } == [10, 20, 40, 30, 40])
    #expect(rows.map { $0["seen"]?.bool } == [nil, nil, nil, nil, true])
    #expect(rows[1]["text"]?.string == "2 openFile → Containers/notes/a \"b\"<c>")
    #expect(rows[1]["certainty"]?.string == ", as the app says")
    #expect(rows[2]["marks"]?.array?.map(\.string) == ["unmanaged"])
    #expect(
      rows[2]["rule"]?.string == "noRuleApplied by allowedOutboundDataTransferDestinations")
    #expect(rows[2]["source"]?.string == "org.json:7")
    #expect(rows[2]["why"]?.string == "no managed identity takes part, so no policy applies")
  }

  @Test func `a chain of 20,000 hops is printed with one short line for each hop`() {
    var story = Story()
    var last = story.request(.share, by: Story.managed("a"), to: Story.managed("b"))
    for _ in 0..<20_000 {
      last = story.request(.share, by: Story.managed("b"), to: Story.managed("a")) {
        $0.from = [last]
      }
    }
    let lines = story.lineage.text.split(separator: "\n")
    #expect(lines.count == 20_002)
    #expect(lines.allSatisfy { $0.count < 200 })
    #expect(lines.last?.trimmingPrefix { $0 == " " }.hasPrefix("from 20000: 20001 share") == true)
  }

  @Test func `control characters in a file's path are escaped in the flows text`() {
    var story = Story()
    story.file("Containers/a/\u{1B}[2J", .beginning, by: Story.managed("a"))
    #expect(!story.lineage.text.contains("\u{1B}"))
  }

  @Test func `lineage JSON lists each hop with its sources`() throws {
    let hops = try #require(try JSONReader.read(Self.lineage.json)["hops"]?.array)
    #expect(hops.map { $0["item"]?.int } == [1, 2, 3, 4])
    let last = try #require(hops.last)
    #expect(last["from"]?.array?.map { $0["item"]?.int } == [1, 2])
    #expect(last["from"]?.array?.map { $0["certainty"]?.string } == ["certain", "stated"])
    #expect(last["holder"]?["app"]?.string == "org.example.viewer")
    #expect(last["unmanaged"]?.bool == true)
    #expect(last["setting"]?.string == "allowedOutboundDataTransferDestinations")
    #expect(hops[1]["holder"]?["file"]?.string == "Containers/notes/a \"b\"<c>")
  }

  @Test func `Graphviz nodes and edges are quoted`() {
    let dot = Self.lineage.dot
    #expect(dot.hasPrefix("digraph flows {\n"))
    #expect(dot.contains("  item2 [label=\"Containers/notes/a \\\"b\\\"<c>\\n2\"]\n"))
    #expect(dot.contains("  item4 [label=\"viewer\\n4\", color=red]\n"))
    #expect(dot.contains("  item2 -> item4 [label=\"share\\nnoRuleApplied\", style=dashed]\n"))
    #expect(dot.contains("  origin1 -> item1 "))
  }

  @Test func `names are escaped for Mermaid`() {
    let mermaid = Self.lineage.mermaid
    #expect(mermaid.hasPrefix("flowchart LR\n"))
    #expect(mermaid.contains("  item2[\"Containers/notes/a #34;b#34;#60;c#62;<br>2\"]\n"))
    #expect(mermaid.contains("  item4[\"viewer<br>4\"]:::unmanaged\n"))
    #expect(mermaid.contains("  item2 -.->|\"share<br>noRuleApplied\"| item4\n"))
  }
}
