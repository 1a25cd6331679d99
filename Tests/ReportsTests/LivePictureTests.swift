import JSON
import Model
import Reports
import Synchronization
import Testing
import TestSupport

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

  /// A device on which guests come and go, and share at random.
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
          .ended(request: Int.random(in: 1...request, using: &random), end: .delivered)
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

  /// What a page knows, told piece by piece: as the page does, in as few words as can be.
  private struct Known: Equatable {
    var nodes: [String] = []
    var verdicts: [String] = []
    /// The number of requests of each flow.
    var flows: [Int: Int] = [:]
    var guests: [Int: String] = [:]
    /// The rows without their ends, and the ends.
    var rows: [Int: [String]] = [:]
    var ends: [Int: Int] = [:]
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
      for flow in Self.lists(told["flows"]) { flows[flow[0].int ?? -1] = flow.last?.int }
      for guest in Self.lists(told["guests"]) {
        guests[guest[0].int ?? -1] = guest.map(Self.line).joined(separator: " ")
      }
      for row in Self.lists(told["rows"]) {
        let number = row[0].int ?? -1
        ends[number] = row[6].int
        rows[number] = (row[..<6] + row[7...]).map(Self.line)
      }
      for end in Self.lists(told["ended"]) { ends[end[0].int ?? -1] = end[1].int }
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

  @Test(arguments: 1...20)
  func `changes come to the same as everything told at once`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var picture = Self.picture()
    var (followed, late) = (Known(), Known())
    for event in Self.events(600, seed: UInt64(seed)) {
      picture.add(event)
      if Int.random(in: 0..<10, using: &random) == 0 { try followed.absorb(picture.changes()) }
      // Somebody who comes in between has no influence on what others are told.
      if Int.random(in: 0..<50, using: &random) == 0 { _ = picture.state() }
    }
    try followed.absorb(picture.changes())
    try late.absorb(picture.state())
    #expect(followed == late)
    #expect(late.counts.reduce(0, +) == late.rows.count)
  }

  @Test func `of many requests the latest are told, and all are counted`() throws {
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

  @Test func `what is too much for a page is counted, and said so`() throws {
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

  @Test func `files are read once and, after policies have changed, anew`() throws {
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
