import Encodings
import Model
import Scenario
import Synchronization
import TestSupport
import Testing

@testable import Reports

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
    var picture = Picture(.fixed(title)) { $0 == "base.json" ? "{}" : nil }
    picture.add(RecordedJournal(events(kinds), name: "one"))
    return picture.page()
  }

  @Test func `equal journal events give equal report pages`() {
    let kinds: [JournalEvent.Kind] = [.decided(Self.decision(.share, to: Self.viewer))]
    #expect(Self.page(kinds) == Self.page(kinds))
  }

  @Test(
    arguments: [
      ([], "No request was made."),
      (
        [.allowed],
        "Blocked: 0 of 1 request. 1 transfer took managed data out of the protection of policies, to an unmanaged app."
      ),
      (
        [.allowed, .allowed, .blocked],
        "Blocked: 1 of 3 requests. 2 transfers took managed data out of the protection of policies, to unmanaged apps."
      ),
      (
        [.blocked, .encrypted],
        "Blocked: 1 of 2 requests; encrypted: 1. No managed data left the protection of policies."
      ),
    ] as [([Outcome], String)])
  func `the report's headline counts verdicts and transfers out of policy protection`(
    outcomes: [Outcome], words: String
  ) {
    var story = Story()
    for outcome in outcomes {
      story.request(
        .share, by: Story.managed("mail"), to: Story.plain("viewer"), outcome: outcome,
        end: outcome == .blocked ? .refused : .delivered)
    }
    #expect(Self.page(story.events.map(\.kind)).contains("<p class=\"headline\">\(words)</p>"))
  }

  /// A delivered share to an unmanaged app, one that the receiver did not take, a printout, and a copy.
  private static var departures: Story {
    var story = Story()
    let (mail, viewer) = (Story.managed("mail"), Story.plain("viewer"))
    story.request(.share, by: mail, to: viewer)
    story.request(.share, by: mail, to: viewer, end: .undeliverable)
    story.request(.print, by: mail)
    story.request(.copy, by: mail)
    return story
  }

  @Test func `the chains page and the requests page count the same transfers out of protection`() {
    let events = Self.departures.events
    let sentence =
      "2 transfers took managed data out of the protection of policies: 1 to an unmanaged app, 1 to a place outside all apps."
    #expect(
      Self.page(events.map(\.kind)).contains(">Blocked: 0 of 4 requests. \(sentence)</p>"))
    var chains = Picture(.fixed("Where data went")) { _ in nil }
    chains.add(Lineage(events), of: RecordedGroup(RecordedJournal(events, name: "1")), at: "1")
    #expect(chains.page().contains(">Data moved in 3 transfers. \(sentence)</p>"))
    var none = Picture(.fixed("Where data went")) { _ in nil }
    none.add(Lineage([]), of: RecordedGroup(RecordedJournal(events, name: "1")), at: "1")
    #expect(none.page().contains(">No such data moved.</p>"))
  }

  @Test func `the request table has the reason of each failed request`() throws {
    var story = Story()
    let why = "`grab` cancelled its request: killed: above its memory limit"
    for end in [RequestEnd.undeliverable, .delivered, .undeliverable] {
      let request = story.request(
        .share, by: Story.managed("mail"), to: Story.managed("notes"), end: nil)
      story.add(
        .ended(request: request, end: end, detail: end == .delivered ? nil : why))
    }
    var requests = RequestTable()
    let group = RecordedGroup(RecordedJournal(story.events, name: "1"))
    requests.add(group, Lineage(story.events), from: 0, at: [0])
    var writer = JSONWriter()
    requests.write(to: &writer)
    let columns = try JSONReader.read(writer.text)
    #expect(columns["detailed"]?.array?.map(\.int) == [0, 2])
    #expect(columns["detail"]?.array?.map(\.int) == [0, 0])
    #expect(columns["details"]?.array?.map(\.string) == [why])
  }

  @Test func `in the report's graph, each device has its own nodes and a link from the sender`()
    throws
  {
    var phone = Story()
    phone.add(.deviceStarted(device: "phone", seed: 1))
    let sent = phone.request(.airDrop, by: Story.managed("mail")) { $0.subject = "tablet" }
    var tablet = Story()
    tablet.add(.deviceStarted(device: "tablet", seed: 1))
    tablet.add(
      .itemArrived(
        item: 7, by: .airDrop, device: "phone", request: sent, type: "public.data", bytes: 7))
    tablet.request(.openReceived, by: nil, to: Story.plain("viewer"), of: "") {
      ($0.subject, $0.from) = ("airDrop", [7])
    }
    let group = RecordedGroup(
      [phone, tablet].map { RecordedJournal($0.events, name: $0.events.device ?? "") })
    var requests = RequestTable()
    requests.add(
      group, Lineage(ofDevices: group.journals.map(\.events)), from: 0,
      at: [0, phone.events.count])
    #expect(Set(requests.nodes.nodes.map(\.device)) == ["phone", "tablet"])
    var writer = JSONWriter()
    requests.write(to: &writer)
    let columns = try JSONReader.read(writer.text)
    let link = try #require(columns["lineage"]?.array?.first?.array)
    #expect(columns["lineage"]?.array?.count == 1)
    #expect(link.prefix(2).map(\.int) == [1, 0] && link.last?.string == "certain")
    // The item left by AirDrop and was opened in an unmanaged app.
    #expect(columns["left"]?.array?.map(\.int) == [0, 1])
  }

  @Test(
    arguments: [
      ([], "several.yaml"), (["Forwarding"], "Forwarding"),
      (["Forwarding", "Paste"], "several.yaml"),
    ] as [([String], String)])
  func `a report page of one scenario has the scenario's name`(suites: [String], title: String) {
    var picture = Picture(.scenario(otherwise: "several.yaml")) { _ in nil }
    for suite in suites {
      for number in 1...2 {
        picture.add(
          RecordedJournal(
            Self.events([.caseBegan(suite: suite, name: "c", criterion: nil), .caseEnded]),
            name: "\(suite) \(number)"))
      }
    }
    #expect(picture.page().contains("<h1>\(title)</h1>"))
    #expect(picture.page().contains("<title>\(title)</title>"))
  }

  @Test func `the report page's headline counts a case on several devices once`() {
    var picture = Picture(.scenario(otherwise: "two.yaml")) { _ in nil }
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
        "Passed: 1 of 2 cases (1 expects nothing); 1 not run. Blocked: 0 of 2 requests."))
  }

  @Test func `names in a report page are escaped in HTML`() {
    #expect(Self.page([]).contains("a &lt;script&gt;"))
    #expect(!Self.page([], "</script>").contains("</script></"))
  }

  @Test(arguments: [
    (decision(.share, to: viewer), "mail · anna@contoso.com", "viewer"),
    (
      decision(.share, from: participant("mail", ""), to: viewer), "mail · unknown account",
      "viewer"
    ),
    (decision(.print), "mail · anna@contoso.com", "a printer"),
    (decision(.copy), "mail · anna@contoso.com", "pasteboard"),
    (
      decision(.saveTo, "box of `anna@contoso.com`"), "mail · anna@contoso.com",
      "Box of anna@contoso.com"
    ),
    (decision(.openFrom, from: nil, to: viewer, "box of `a@b.c`"), "Box of a@b.c", "viewer"),
    (decision(.share, from: participant("clip#3"), to: viewer), "clip", "viewer"),
    (decision(.airDrop, "ben-phone"), "mail · anna@contoso.com", "AirDrop to ben-phone"),
    (decision(.openReceived, from: nil, to: viewer, "airDrop"), "received by AirDrop", "viewer"),
    (decision(.universalClipboard), "mail · anna@contoso.com", "Universal Clipboard"),
    (decision(.paste, from: nil, to: viewer), "pasteboard", "viewer"),
  ])
  func `each request is an edge from one node to another`(
    decision: RequestDecision, from: String, to: String
  ) {
    let ends = Node.ends(of: decision)
    #expect(ends?.from.text == from)
    #expect(ends?.to.text == to)
  }

  @Test(arguments: [Model.Operation.signIn, .switchIdentity, .openFile, .conditionalLaunch])
  func `requests that move no data have no edge in the report's graph`(operation: Model.Operation) {
    #expect(Node.ends(of: Self.decision(operation)) == nil)
  }

  @Test func `in the report's graph, managed nodes come first, then nodes by bundle id`() {
    var table = NodeTable()
    for name in ["viewer-10", "viewer-2", "mail"] {
      _ = table.number(of: Node(Self.participant(name)))
    }
    _ = table.number(of: Node(Self.anna))
    // The table is keyed by bundle id, which all guests of an app share.
    #expect(table.order == [3, 2, 0, 1])
  }

  @Test func `guests with the same bundle id and management form a group`() {
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

  @Test func `the report's graph groups apps by team and lists other places by name`() {
    var table = NodeTable()
    for guest in ["mail", "notes", "viewer"] {
      var participant = Self.participant(guest)
      participant.app = "com.example.\(guest)"
      _ = table.number(of: Node(participant))
    }
    let copied = Node.ends(of: Self.decision(.copy))
    _ = copied.map { table.number(of: $0.to) }
    table.record(team: "CONTOSO001", of: "com.example.mail")
    table.record(team: "CONTOSO001", of: "com.example.notes")
    #expect(
      table.byTeam.names == ["CONTOSO001", "a team that the journal does not name", "pasteboard"])
    #expect(table.byTeam.of == [0, 0, 1, 2])
  }

  @Test func `a flow graph has a separate edge for each outcome of requests`() {
    var graph = FlowGraph()
    let share = Self.decision(.share, to: Self.viewer)
    let blocked = Self.decision(.share, to: Self.viewer, nil, .blocked)
    graph.add(Self.events([.decided(share), .decided(share), .decided(blocked)]))
    #expect(graph.dot.contains("n0 -> n1 [label=\"2 allowed\""))
    #expect(graph.dot.contains("n0 -> n1 [label=\"1 blocked\""))
    #expect(graph.mermaid.contains("n0 -->|\"2 allowed\"| n1"))
  }
}

@Suite struct LivePictureTests {
  private static let outcomes: [Outcome] = [.allowed, .encrypted, .blocked]

  private static func participant(_ guest: String, isManaged: Bool = false) -> Participant {
    Participant(
      guest: guest, app: "com.example.\(guest)", identity: isManaged ? "anna@contoso.com" : nil,
      isManaged: isManaged)
  }

  private static func verdict(_ outcome: Outcome, _ source: String? = nil) -> ExplainedVerdict {
    ExplainedVerdict(
      outcome: outcome, deciding: .noRuleApplied,
      reasons: [
        Explanation(rule: .noRuleApplied, side: .device, source: source, text: outcome.rawValue)
      ], changes: [])
  }

  /// Returns the events of a device on which guests start, exit and share at random.
  private static func events(_ count: Int, seed: UInt64) -> [JournalEvent] {
    var random = SeededGenerator(seed: seed)
    var request = 0
    return (1...count).map { sequence in
      let guest = "guest-\(Int.random(in: 1...6, using: &random))"
      let kind: JournalEvent.Kind =
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          .guestStarted(guest: guest, app: "com.example.\(guest)", team: "TEAM\(guest.utf8.count)")
        case 1: .guestSuspended(guest: guest)
        case 2: .guestExited(guest: guest, cause: "stopped", text: "stopped")
        case 3 where request > 0:
          .ended(
            request: Int.random(in: 1...request, using: &random),
            end: sequence.isMultiple(of: 2) ? .undeliverable : .delivered,
            detail: sequence.isMultiple(of: 2) ? "cause \(sequence)" : nil)
        default:  // open: any other number
          {
            request += 1
            return .decided(
              RequestDecision(
                request: request, operation: .share, sender: participant(guest, isManaged: true),
                receiver: participant("guest-\(request % 7)"),
                from: request > 3 ? [request - 3] : [],
                verdict: verdict(outcomes.randomElement(using: &random) ?? .allowed)))
          }()
        }
      return JournalEvent(sequence: sequence, time: sequence, kind: kind)
    }
  }

  /// The page's state. It is updated incrementally like the page itself, but with minimal code.
  private struct Known: Equatable {
    var nodes: [String] = []
    var verdicts: [String] = []
    /// The number of requests of each flow.
    var flows: [Int: Int] = [:]
    /// The number of those by which managed data left the protection of policies.
    var departures: [Int: Int] = [:]
    var guests: [Int: String] = [:]
    /// The rows without their ends, the ends, and the ends' details.
    var rows: [Int: [String]] = [:]
    var ends: [Int: Int] = [:]
    var details: [Int: String] = [:]
    var counts: [Int] = []
    var lost = 0

    mutating func absorb(_ json: String) throws {
      let told = try JSONReader.read(json)
      if told["reset"]?.bool == true { self = Known() }
      if let more = told["nodes"]?.array {
        nodes.replaceSubrange((told["firstNode"]?.int ?? 0)..., with: more.map(Self.line))
      }
      if let more = told["verdicts"]?.array {
        verdicts.replaceSubrange((told["firstVerdict"]?.int ?? 0)..., with: more.map(Self.line))
      }
      for flow in Self.lists(told["flows"]) {
        flows[flow[0].int ?? -1] = flow.last?.int
        departures[flow[0].int ?? -1] = flow[5].int
      }
      for guest in Self.lists(told["guests"]) {
        guests[guest[0].int ?? -1] = guest.map(Self.line).joined(separator: " ")
      }
      for row in Self.lists(told["rows"]) {
        let number = row[0].int ?? -1
        ends[number] = row[6].int
        rows[number] = (row[..<6] + row[7..<10]).map(Self.line)
        details[number] = row[10].string
      }
      for end in Self.lists(told["ended"]) {
        ends[end[0].int ?? -1] = end[1].int
        details[end[0].int ?? -1] = end[2].string
      }
      counts = told["status"]?["counts"]?.array?.compactMap(\.int) ?? []
      lost = told["status"]?["lost"]?.int ?? -1
    }

    private static func lists(_ value: JSONValue?) -> [[JSONValue]] {
      value?.array?.compactMap(\.array) ?? []
    }

    private static func line(_ value: JSONValue) -> String {
      var writer = JSONWriter()
      value.write(to: &writer)
      return writer.text
    }
  }

  private static func picture(
    reading read: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> LivePicture { LivePicture(title: "t", .look, reading: read) }

  @Test func `each update of a report page has a headline that counts requests by verdict`() throws
  {
    var picture = Self.picture()
    func headline() throws -> String? {
      try JSONReader.read(picture.changes())["status"]?["headline"]?.string
    }
    #expect(try headline() == "No request was made.")
    func decide(_ request: Int, to receiver: Participant, _ outcome: Outcome) {
      let decision = RequestDecision(
        request: request, operation: .share, sender: Self.participant("a", isManaged: true),
        receiver: receiver, owner: "anna@contoso.com", from: [], verdict: Self.verdict(outcome))
      for kind: JournalEvent.Kind in [
        .decided(decision),
        .ended(request: request, end: outcome == .blocked ? .refused : .delivered),
      ] {
        picture.add(JournalEvent(sequence: request, time: request, kind: kind))
      }
    }
    decide(1, to: Self.participant("b", isManaged: true), .allowed)
    decide(2, to: Self.participant("c"), .blocked)
    #expect(
      try headline()
        == "Blocked: 1 of 2 requests. No managed data left the protection of policies.")
    decide(3, to: Self.participant("c"), .allowed)
    decide(4, to: Self.participant("c"), .encrypted)
    #expect(
      try headline()
        == "Blocked: 1 of 4 requests; encrypted: 1. 1 transfer took managed data out of the protection of policies, to an unmanaged app."
    )
    var known = Known()
    try known.absorb(picture.state())
    #expect(known.departures.values.reduce(0, +) == 1)
  }

  @Test(arguments: 1...20)
  func `a report graph that is updated incrementally equals a complete build`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var picture = Self.picture()
    var (followed, late) = (Known(), Known())
    for event in Self.events(600, seed: UInt64(seed)) {
      picture.add(event)
      if Int.random(in: 0..<10, using: &random) == 0 { try followed.absorb(picture.changes()) }
      // A new viewer does not affect the changes for the others.
      if Int.random(in: 0..<50, using: &random) == 0 { _ = picture.state() }
    }
    try followed.absorb(picture.changes())
    try late.absorb(picture.state())
    #expect(followed == late)
    #expect(!late.details.isEmpty)
    #expect(late.counts.reduce(0, +) == late.rows.count)
  }

  @Test func `a report page shows the latest 1,000 requests and counts all requests`() throws {
    var picture = Self.picture()
    for number in 1...5_000 {
      let decision = RequestDecision(
        request: number, operation: .share, sender: Self.participant("mail", isManaged: true),
        receiver: Self.participant("viewer"), verdict: Self.verdict(.blocked))
      picture.add(JournalEvent(sequence: number, time: 0, kind: .decided(decision)))
    }
    var known = Known()
    try known.absorb(picture.state())
    #expect(known.rows.keys.max() == 5_000 && known.rows.count == 1_000)
    #expect(known.flows.count == 1 && known.flows[0] == 5_000)
  }

  @Test func `a report page shows at most 20,000 nodes and counts the omitted nodes`() throws {
    var picture = Self.picture()
    for number in 1...20_100 {
      let decision = RequestDecision(
        request: number, operation: .share, sender: Self.participant("mail"),
        receiver: Self.participant("viewer-\(number)"), verdict: Self.verdict(.allowed))
      picture.add(JournalEvent(sequence: number, time: 0, kind: .decided(decision)))
    }
    var known = Known()
    try known.absorb(picture.changes())
    #expect(known.nodes.count == 20_000)
    #expect(known.lost == 101)
    #expect(known.counts == [20_100, 0, 0])
  }

  @Test func `a report page reads a policy file once, and again after a policy change`() throws {
    let reads = Atomic(0)
    var picture = Self.picture { path in
      "\(path) read \(reads.add(1, ordering: .relaxed).newValue) times"
    }
    let decision = RequestDecision(
      request: 1, operation: .share, verdict: Self.verdict(.blocked, "base.json:7"))
    func text() throws -> String? {
      try JSONReader.read(picture.changes())["texts"]?["base.json"]?.string
    }
    picture.add(JournalEvent(sequence: 1, time: 0, kind: .decided(decision)))
    #expect(try text() == "base.json read 1 times")
    #expect(try text() == nil)
    picture.add(
      JournalEvent(
        sequence: 2, time: 0,
        kind: .policyStated(policy: "a", documents: [], settings: RecordedObject(json: "{}"))))
    var told: [String] = []
    for _ in 1...20 { if let text = try text() { told.append(text) } }
    #expect(told == ["base.json read 2 times"])
  }
}
