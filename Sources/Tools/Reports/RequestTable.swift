internal import Encodings
internal import Model
internal import Scenario

/// The requests of all journals in decision order, stored by column.
struct RequestTable {
  private var journals: [Int] = []
  private var numbers: [Int] = []
  private var moments: [Int] = []
  private var senders: [Int] = []
  private var receivers: [Int] = []
  private var operations: [Int] = []
  private var verdictsOfRows: [Int] = []
  private var ends: [Int] = []
  private var owners: [Int] = []
  private var subjects: [Int] = []
  private var lineage: [(row: Int, source: Int, certainty: Hop.Certainty)] = []
  /// For each ended request with a detail, such as the reason of a failure, its row and the number of the detail's text.
  private var details: [(row: Int, text: Int)] = []
  private var detailTexts = Table<String>()
  private(set) var nodes = NodeTable()
  private(set) var verdicts = Table<ExplainedVerdict>()
  private(set) var ownerNames = Table<String>()
  private(set) var strings = Table<String>()
  /// The rows of the requests by which managed data left the protection of policies.
  private var departed: [Int] = []
  private(set) var departures = Departures()
  /// The row of each request in the group that was added last.
  private var rows: [Hop.RequestID: Int] = [:]

  /// The requests to show.
  enum Extent {
    case all
    /// The requests that moved data (the lineage's hops).
    case hops
  }

  /// The names of ends, followed by `open` for open requests.
  static let endNames = RequestEnd.allCases.map(\.rawValue) + ["open"]
  static let operationNames = Operation.allCases.map(\.rawValue)
  private static let operationNumbers = Dictionary(
    uniqueKeysWithValues: zip(Operation.allCases, Operation.allCases.indices))
  private static let endNumbers = Dictionary(
    uniqueKeysWithValues: zip(RequestEnd.allCases, RequestEnd.allCases.indices))

  static func number(of operation: Operation) -> Int { operationNumbers[operation] ?? 0 }

  /// Returns the index of an end in ``endNames``; nil stands for an open request.
  static func number(of end: RequestEnd?) -> Int {
    end.flatMap { endNumbers[$0] } ?? endNames.count - 1
  }

  var count: Int { numbers.count }

  func count(of outcome: Outcome) -> Int {
    let isCounted = verdicts.values.map { $0.outcome == outcome }
    return verdictsOfRows.count { isCounted[$0] }
  }

  /// Adds the requests of a group's journals.
  ///
  /// - Parameters:
  ///   - journal: The number of the group's first journal.
  ///   - starts: The number of each journal's first event among the events of all journals.
  mutating func add(
    _ group: RecordedGroup, _ lineage: Lineage, from journal: Int, at starts: [Int],
    _ extent: Extent = .all
  ) {
    rows = [:]
    let hops = Dictionary(
      lineage.hops.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, recording) in group.journals.enumerated() {
      let device = group.journals.count > 1 ? recording.events.device ?? "" : ""
      add(
        recording.events, on: device, journal + index, from: starts[index],
        only: extent == .all ? nil : hops)
    }
    addLineage(group, hops)
  }

  /// Adds the requests of one journal.
  ///
  /// - Parameter hops: The hops that select the requests; nil for all requests.
  private mutating func add(
    _ events: [JournalEvent], on device: String, _ journal: Int, from moment: Int,
    only hops: [Hop.RequestID: Hop]?
  ) {
    for (index, event) in events.enumerated() {
      switch event.kind {
      case .decided(let decision):
        let id = Hop.RequestID(device: device, request: decision.request)
        guard hops.map({ $0[id] != nil }) ?? true else { continue }
        add(decision, id, journal, moment + index)
      case .ended(let request, let end, _, let detail):
        guard let row = rows[Hop.RequestID(device: device, request: request)] else { continue }
        ends[row] = Self.number(of: end)
        if let detail { details.append((row, detailTexts.number(of: detail))) }
      case .accountEnrolled(let app, let account, let policies),
        .policyChanged(let app, let account, let policies):
        nodes.record(policies, of: account, in: app)
      case .guestStarted(_, let app, let team):
        if let team { nodes.record(team: team, of: app) }
      case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation,
        .stepFailed, .caseEnded, .faultInjected, .itemArrived, .guestReady, .guestSuspended,
        .guestResumed, .guestExited, .claimIgnored, .accountSignedIn, .accountSignedOut,
        .identitySwitched, .identitySwitchRequired, .accessChecked, .accountNotAllowed,
        .accountRenamed, .wipeAdvanced, .accountWiped, .policySaved, .appConfigured,
        .configurationDelivered, .notificationPosted, .telemetryRecorded, .declarationsApplied,
        .managedAppChanged,
        .administratorInformed, .delegateAsked, .enrollmentAsked, .enrollmentAnswered,
        .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated, .factsStated,
        .extensionCompleted, .extensionCancelled:
        break
      }
    }
  }

  /// Adds the sources of each item, and the departures. For refused requests, the sources come from the item's tag.
  private mutating func addLineage(_ group: RecordedGroup, _ hops: [Hop.RequestID: Hop]) {
    let places = Dictionary(
      hops.map { ($0.value.number, $0.key) }, uniquingKeysWith: { first, _ in first })
    /// Returns the row of an item's request. If the request has no row because the item came from another device,
    /// returns the row of the sending request. Empty if there is no such row.
    func sources(_ place: Hop.RequestID) -> [Int] {
      if let row = rows[place] { return [row] }
      let before = (hops[place]?.sources ?? []).compactMap { places[$0.item] }
      return before.compactMap { rows[$0] }
    }
    var links: [(row: Int, source: Int, certainty: Hop.Certainty)] = []
    for (place, hop) in hops {
      guard let row = rows[place] else { continue }
      for source in hop.sources {
        let origin =
          places[source.item] ?? Hop.RequestID(device: place.device, request: source.item)
        links += sources(origin).map { (row, $0, source.certainty) }
      }
    }
    for journal in group.journals {
      let device = group.journals.count > 1 ? journal.events.device ?? "" : ""
      for case .decided(let decision) in journal.events.map(\.kind) {
        let place = Hop.RequestID(device: device, request: decision.request)
        guard hops[place] == nil, let row = rows[place] else { continue }
        for item in decision.from {
          let origin = Hop.RequestID(device: device, request: item)
          links += sources(origin).map { (row, $0, .certain) }
        }
      }
    }
    lineage += links.sorted { ($0.row, $0.source) < ($1.row, $1.source) }
    for hop in hops.values { departures.add(hop) }
    departed += hops.filter { $0.value.isUnmanaged }.compactMap { rows[$0.key] }.sorted()
  }

  /// Returns a hop's row in the last added group; nil for the arrival of an item from another device.
  func row(of hop: Hop) -> Int? { rows[hop.place] }

  private mutating func add(
    _ decision: RequestDecision, _ id: Hop.RequestID, _ journal: Int, _ moment: Int
  ) {
    rows[id] = count
    journals.append(journal)
    numbers.append(decision.request)
    moments.append(moment)
    let ends = Node.ends(of: decision)
    func number(_ node: Node?) -> Int? {
      guard var node else { return nil }
      node.device = id.device
      return nodes.number(of: node)
    }
    let from = number(ends?.from ?? decision.sender.map(Node.init))
    let to = number(ends?.to ?? decision.receiver.map(Node.init))
    if let from, let to { nodes.connect(from, to) }
    senders.append(from ?? -1)
    receivers.append(to ?? -1)
    operations.append(Self.number(of: decision.operation))
    verdictsOfRows.append(verdicts.number(of: decision.verdict))
    self.ends.append(Self.number(of: nil))
    owners.append(decision.owner.map { ownerNames.number(of: $0) } ?? -1)
    subjects.append(decision.shownSubject.map { strings.number(of: $0) } ?? -1)
  }

  /// Writes the columns. Columns that mostly increase are written as differences.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.numbers("journal", Self.differences(journals))
      writer.numbers("number", Self.differences(numbers))
      writer.numbers("moment", Self.differences(moments))
      writer.numbers("sender", senders)
      writer.numbers("receiver", receivers)
      writer.numbers("operation", operations)
      writer.numbers("verdict", verdictsOfRows)
      writer.numbers("end", ends)
      writer.numbers("owner", owners)
      writer.numbers("subject", subjects)
      writer.numbers("left", departed)
      writer.numbers("detailed", details.map(\.row))
      writer.numbers("detail", details.map(\.text))
      writer.strings("details", detailTexts.values)
      writer.array("lineage", of: lineage) { writer, link in
        writer.array { writer in
          writer.number(link.row)
          writer.number(link.source)
          writer.string(link.certainty.rawValue)
        }
      }
    }
  }

  private static func differences(_ numbers: [Int]) -> [Int] {
    zip(numbers, [0] + numbers).map { $0 &- $1 }
  }
}

// MARK: - Numbered values

/// Distinct values, numbered in the order of their first use.
struct Table<Value: Hashable> {
  private(set) var values: [Value] = []
  private var numbers: [Value: Int] = [:]

  mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    values.append(value)
    numbers[value] = values.count - 1
    return values.count - 1
  }

  /// Returns the number of a known value; nil if the value is unknown.
  func known(_ value: Value) -> Int? { numbers[value] }

  /// Returns the value's number, and adds a new value; nil if the value is new and the table already has
  /// `limit` values.
  mutating func number(of value: Value, atMost limit: Int) -> Int? {
    numbers[value] ?? (values.count < limit ? number(of: value) : nil)
  }
}

extension Table: Sendable where Value: Sendable {}
