import Model

@testable import Lineage

/// The events of a device on which data move, a decision and its end for each request.
struct Story {
  private(set) var events: [JournalEvent] = []
  private var requests = 0

  static let anna = "anna@contoso.com"

  /// An app that acts for Anna's managed account.
  static func managed(_ name: String) -> Participant {
    Participant(guest: name, app: "com.contoso.\(name)", identity: anna, isManaged: true)
  }

  /// An app without the SDK.
  static func plain(_ name: String) -> Participant {
    Participant(guest: name, app: "org.example.\(name)", identity: nil, isManaged: false)
  }

  /// Adds a request that was allowed.
  ///
  /// - Parameter end: nil: it has not ended.
  /// - Returns: its number.
  @discardableResult
  mutating func request(
    _ operation: Operation, by sender: Participant?, to receiver: Participant? = nil,
    of owner: String? = anna, outcome: Outcome = .allowed, end: RequestEnd? = .delivered,
    _ change: (inout RequestDecision) -> Void = { _ in }
  ) -> Int {
    requests += 1
    var decision = RequestDecision(
      request: requests, operation: operation, sender: sender, receiver: receiver, owner: owner,
      type: "public.utf8-plain-text", bytes: 7,
      verdict: ExplainedVerdict(
        outcome: outcome, deciding: .noRuleApplied,
        reasons: [Explanation(rule: .noRuleApplied, side: .device, text: "nobody minds")],
        changes: []))
    change(&decision)
    add(.decided(decision))
    if let end { add(.ended(request: requests, end: end)) }
    return requests
  }

  /// Adds a request about a file.
  @discardableResult
  mutating func file(
    _ path: String, _ use: FileUse, by app: Participant, stating items: [Int] = []
  ) -> Int {
    request(.openFile, by: app) {
      ($0.subject, $0.use, $0.stated, $0.type, $0.bytes) = (path, use, items, nil, nil)
    }
  }

  mutating func add(_ kind: JournalEvent.Kind) {
    events.append(JournalEvent(sequence: events.count + 1, time: 1_767_225_600, kind: kind))
  }

  var lineage: Lineage { Lineage(events) }

  /// The hop that made the item.
  func hop(_ number: Int) -> Hop? { lineage.byNumber[number] }

  /// What the item came from, by how sure that is.
  func sources(of number: Int, _ certainty: Hop.Certainty = .certain) -> [Int]? {
    hop(number)?.sources.filter { $0.certainty == certainty }.map(\.item)
  }
}
