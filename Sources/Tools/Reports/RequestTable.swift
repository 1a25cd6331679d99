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
  private(set) var nodes = NodeTable()
  private(set) var verdicts = Table<ExplainedVerdict>()
  private(set) var ownerNames = Table<String>()
  private(set) var strings = Table<String>()
  /// The rows of the current journal, by request number.
  private var rows: [Int: Int] = [:]

  /// The names of ends, followed by the one for open requests.
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

  /// The number of allowed transfers from a managed account to an unmanaged app.
  var countOfEscapes: Int {
    let isAllowed = verdicts.values.map { $0.outcome == .allowed }
    let columns = nodes.nodes.map(\.column)
    return verdictsOfRows.indices.count { row in
      guard senders[row] >= 0, receivers[row] >= 0, isAllowed[verdictsOfRows[row]] else {
        return false
      }
      return columns[senders[row]] == .managed && columns[receivers[row]] == .unmanaged
    }
  }

  mutating func add(_ recording: RecordedJournal, journal: Int, from moment: Int) {
    rows = [:]
    for (index, event) in recording.events.enumerated() {
      switch event.kind {
      case .decided(let decision): add(decision, journal, moment + index)
      case .ended(let request, let end, _, _):
        if let row = rows[request] { ends[row] = Self.number(of: end) }
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
        .configurationDelivered, .telemetryRecorded, .declarationsApplied, .managedAppChanged,
        .administratorInformed, .delegateAsked, .enrollmentAsked, .enrollmentAnswered,
        .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated, .factsStated,
        .extensionCompleted, .extensionCancelled:
        break
      }
    }
    addLineage(of: recording.events)
  }

  /// Adds the sources of each item. For refused requests, they come from the item's tag.
  private mutating func addLineage(of events: [JournalEvent]) {
    let hops = Lineage(events).hops
    var sources = Dictionary(
      hops.map { ($0.number, $0.sources) }, uniquingKeysWith: { first, _ in first })
    for case .decided(let decision) in events.map(\.kind) where sources[decision.request] == nil {
      sources[decision.request] = decision.from.map {
        Hop.SourceItem(item: $0, certainty: .certain)
      }
    }
    for (request, sources) in sources.sorted(by: { $0.key < $1.key }) {
      guard let row = rows[request] else { continue }
      for source in sources {
        if let other = rows[source.item] { lineage.append((row, other, source.certainty)) }
      }
    }
  }

  private mutating func add(_ decision: RequestDecision, _ journal: Int, _ moment: Int) {
    rows[decision.request] = count
    journals.append(journal)
    numbers.append(decision.request)
    moments.append(moment)
    let ends = Node.ends(of: decision)
    let from = (ends?.from ?? decision.sender.map(Node.init)).map { nodes.number(of: $0) }
    let to = (ends?.to ?? decision.receiver.map(Node.init)).map { nodes.number(of: $0) }
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
