import JSON
import Model
@testable import Reports
import Scenario
import Testing

@Suite struct PictureTests {
  private static func participant(
    _ guest: String, _ identity: String? = nil, _ management: Node.Column = .unmanaged
  ) -> Participant {
    Participant(
      guest: guest, app: "com.example.\(guest)", identity: identity,
      isManaged: management == .managed)
  }

  private static let anna = participant("mail", "anna@contoso.com", .managed)
  private static let viewer = participant("viewer")

  private static func decision(
    _ operation: Model.Operation, from sender: Participant? = anna, to receiver: Participant? = nil,
    _ subject: String? = nil, _ outcome: Outcome = .allowed
  ) -> RequestDecision {
    RequestDecision(
      request: 1, operation: operation, sender: sender, receiver: receiver, subject: subject,
      verdict: ExplainedVerdict(
        outcome: outcome, deciding: .noRuleApplied,
        reasons: [Explanation(rule: .noRuleApplied, side: .device, text: "nothing")], changes: []))
  }

  private static func events(_ kinds: [JournalEvent.Kind]) -> [JournalEvent] {
    kinds.enumerated().map { JournalEvent(sequence: $0 + 1, time: 0, kind: $1) }
  }

  private static func page(_ kinds: [JournalEvent.Kind], _ title: String = "a <script>") -> String {
    var picture = Picture(title: title) { $0 == "base.json" ? "{}" : nil }
    picture.add(RecordedJournal(events(kinds), name: "one"))
    return picture.page()
  }

  @Test func `the same recordings make the same bytes`() {
    let kinds: [JournalEvent.Kind] = [.decided(Self.decision(.share, to: Self.viewer))]
    #expect(Self.page(kinds) == Self.page(kinds))
    #expect(Self.page(kinds).contains("1 request: 0 blocked, 0 encrypted, 1 allowed"))
  }

  @Test func `a case on several devices counts once, and one that expects nothing says so`() {
    var picture = Picture(title: "two") { _ in nil }
    picture.add(
      RecordedGroup(
        ["one", "two"].map { device in
          RecordedJournal(
            Self.events([
              .deviceStarted(device: device, seed: 1),
              .caseBegan(suite: "s", name: "c", criterion: nil), .stepBegan(step: 1, text: "a"),
              .decided(Self.decision(.share, to: Self.viewer)), .caseEnded,
            ]), name: device)
        }))
    var left = CaseResult(name: "d")
    left.reasonNotRun = "a program is not there"
    picture.add(notRun: left, of: "s")
    #expect(
      picture.page().contains(
        "2 cases: 1 passed (1 expects nothing), 1 not run; 2 requests: 0 blocked, 0 encrypted, 2 allowed"
      ))
  }

  @Test func `names are text`() {
    #expect(Self.page([]).contains("a &lt;script&gt;"))
    #expect(!Self.page([], "</script>").contains("</script></"))
  }

  @Test(arguments: [
    (decision(.share, to: viewer), "mail · anna@contoso.com", "viewer"),
    (
      decision(.share, from: participant("mail", ""), to: viewer), "mail · unknown account",
      "viewer"
    ),
    (decision(.print), "mail · anna@contoso.com", "print"),
    (decision(.copy), "mail · anna@contoso.com", "pasteboard"),
    (
      decision(.saveTo, "box of `anna@contoso.com`"), "mail · anna@contoso.com",
      "box of anna@contoso.com"
    ),
    (decision(.openFrom, from: nil, to: viewer, "box of `a@b.c`"), "box of a@b.c", "viewer"),
    (decision(.share, from: participant("clip#3"), to: viewer), "clip", "viewer"),
    (decision(.airDrop, "ben-phone"), "mail · anna@contoso.com", "airDrop to ben-phone"),
    (decision(.openReceived, from: nil, to: viewer, "airDrop"), "received by airDrop", "viewer"),
    (decision(.universalClipboard), "mail · anna@contoso.com", "universalClipboard"),
    (decision(.paste, from: nil, to: viewer), "pasteboard", "viewer"),
  ])
  func `requests lead from an app or place to another`(
    decision: RequestDecision, from: String, to: String
  ) {
    let ends = Node.ends(of: decision)
    #expect(ends?.from.text == from)
    #expect(ends?.to.text == to)
  }

  @Test(arguments: [Model.Operation.signIn, .switchIdentity, .openFile, .conditionalLaunch])
  func `what moves nothing between two is no arrow`(operation: Model.Operation) {
    #expect(Node.ends(of: Self.decision(operation)) == nil)
  }

  @Test func `nodes stand in columns, by number where their names end in one`() {
    var table = NodeTable()
    for name in ["viewer-10", "viewer-2", "mail"] {
      _ = table.number(of: Node(Self.participant(name)))
    }
    _ = table.number(of: Node(Self.anna))
    // By bundle id, which the guests of one app share.
    #expect(table.order.first == 3)
    #expect(Set(table.order) == [0, 1, 2, 3])
  }

  @Test func `guests of one bundle and side are one group`() {
    var table = NodeTable()
    for guest in ["mail-1", "mail-2"] {
      var participant = Self.participant(guest)
      participant.app = "com.contoso.mail"
      _ = table.number(of: Node(participant))
      participant.isManaged = true
      _ = table.number(of: Node(participant))
    }
    #expect(table.byBundle.sizes == [2, 2])
    #expect(table.byBundle.of == [0, 1, 0, 1])
  }

  @Test func `apps of one team are one group, and places none's`() {
    var table = NodeTable()
    for guest in ["mail", "notes", "viewer"] {
      var participant = Self.participant(guest)
      participant.app = "com.example.\(guest)"
      _ = table.number(of: Node(participant))
    }
    let copied = Node.ends(of: Self.decision(.copy))
    _ = copied.map { table.number(of: $0.to) }
    table.note(team: "CONTOSO001", of: "com.example.mail")
    table.note(team: "CONTOSO001", of: "com.example.notes")
    #expect(
      table.byTeam.names == ["CONTOSO001", "a team that the journal does not tell", "pasteboard"])
    #expect(table.byTeam.of == [0, 0, 1, 2])
  }

  @Test func `a graph has an edge for each outcome`() {
    var graph = FlowGraph()
    let share = Self.decision(.share, to: Self.viewer)
    let blocked = Self.decision(.share, to: Self.viewer, nil, .blocked)
    graph.add(Self.events([.decided(share), .decided(share), .decided(blocked)]))
    #expect(graph.dot.contains("n0 -> n1 [label=\"2 allowed\""))
    #expect(graph.dot.contains("n0 -> n1 [label=\"1 blocked\""))
    #expect(graph.mermaid.contains("n0 -->|\"2 allowed\"| n1"))
  }
}
