import JSON
import Model
import Testing

@testable import Lineage

/// Chains as text, JSON and graphs.
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

  @Test func `several cases are one graph, each in a frame whose nodes are its own`() {
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

  @Test func `text has a tree for each beginning, and each item once with what came of it`() {
    #expect(
      Self.lineage.text == """
        data of anna@contoso.com, made in mail (anna@contoso.com, managed)
        └─ 1 share → notes (anna@contoso.com, managed): noRuleApplied
           ├─ 2 openFile → Containers/notes/a "b"<c>, as the app says: noRuleApplied
           │  └─ 4 share → viewer [unmanaged], as the app says: noRuleApplied by \
        allowedOutboundDataTransferDestinations, org.json:7
           ├─ 3 saveTo → localDrive [unmanaged]: noRuleApplied
           └─ 4 share → viewer [unmanaged]: noRuleApplied by \
        allowedOutboundDataTransferDestinations, org.json:7; see above

        """)
  }

  @Test func `a chain may have any number of hops, and its text grows with them alone`() {
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

  @Test func `nothing of a journal reaches a terminal as a command`() {
    var story = Story()
    story.file("Containers/a/\u{1B}[2J", .beginning, by: Story.managed("a"))
    #expect(!story.lineage.text.contains("\u{1B}"))
  }

  @Test func `JSON has each hop with its sources`() throws {
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

  @Test func `Graphviz gets every node and edge, quoted`() {
    let dot = Self.lineage.dot
    #expect(dot.hasPrefix("digraph flows {\n"))
    #expect(dot.contains("  item2 [label=\"Containers/notes/a \\\"b\\\"<c>\\n2\"]\n"))
    #expect(dot.contains("  item4 [label=\"viewer\\n4\", color=red]\n"))
    #expect(dot.contains("  item2 -> item4 [label=\"share\\nnoRuleApplied\", style=dashed]\n"))
    #expect(dot.contains("  origin1 -> item1 "))
  }

  @Test func `Mermaid reads nothing of a name as its own`() {
    let mermaid = Self.lineage.mermaid
    #expect(mermaid.hasPrefix("flowchart LR\n"))
    #expect(mermaid.contains("  item2[\"Containers/notes/a #34;b#34;#60;c#62;<br>2\"]\n"))
    #expect(mermaid.contains("  item4[\"viewer<br>4\"]:::unmanaged\n"))
    #expect(mermaid.contains("  item2 -.->|\"share<br>noRuleApplied\"| item4\n"))
  }
}
