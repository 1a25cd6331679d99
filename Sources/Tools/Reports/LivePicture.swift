internal import Encodings
package import Model
internal import Output

/// The current state of a device as a page that receives updates: flows, verdicts with their rules, the
/// latest requests, and guests.
///
/// Requests are counted by flow, and only the latest are kept, so a device can be observed indefinitely.
package struct LivePicture: Sendable {
  private let title: String
  private let controls: Controls
  private let read: @Sendable (String) -> String?
  private var nodes = NodeTable()
  private var verdicts = Table<ExplainedVerdict>()
  private var flows = FlowTable()
  private var requests = LatestRequests()
  private var guests = GuestTable()
  private var counts: [Outcome: Int] = [:]
  private var lineage = LineageBuilder(keeping: mostItems)
  private var departures = Departures()
  private var time = 0
  /// The number of requests that are counted but not shown, because there are too many nodes or verdicts.
  private var lost = 0
  private var room = mostBytes
  private var texts: [String: String] = [:]
  /// The paths of files that verdicts refer to.
  private var cited: Set<String> = []
  /// The cited files that have not been read yet.
  private var unread: Set<String> = []
  private var areTextsOld = false
  private var output: String?
  private var work: String?
  private var sent = Sent()

  /// The actions available on the page.
  package enum Controls: Sendable {
    case look
    /// The page can make the device carry out steps.
    case steps
  }

  /// The state that the page has received.
  private struct Sent {
    var nodes = 0
    var verdicts = 0
    var texts: [String: String] = [:]
    /// The number of updates since all files were last read after a policy change.
    var changes = 0
  }

  /// The maximum number of nodes, which is also the maximum number of verdicts. There are limits because every page
  /// receives all nodes and verdicts.
  private static let mostOfEach = 20_000
  /// The maximum total size of the nodes' names and the verdicts' texts, in bytes.
  private static let mostBytes = 32 << 20

  /// The maximum number of items to keep for the lineage. Older items are dropped, and no longer appear as sources.
  private static let mostItems = 20_000

  /// Creates a picture without events.
  ///
  /// - Parameter read: Returns the text of a policy or scenario that verdicts refer to, by path; nil if the page must
  ///   not show it.
  package init(
    title: String, _ controls: Controls, reading read: @escaping @Sendable (String) -> String?
  ) {
    self.title = title
    self.controls = controls
    self.read = read
  }

  /// A picture with the same title and controls, without events.
  package var emptied: LivePicture { LivePicture(title: title, controls, reading: read) }

  // MARK: Events

  package mutating func add(_ event: JournalEvent) {
    time = event.time
    guests.add(event.kind)
    let hop = lineage.add(event)
    if let hop { departures.add(hop) }
    switch event.kind {
    case .decided(let decision): add(decision)
    case .ended(let request, let end, _, let detail):
      requests.end(request, end, detail)
      flows.end(request, isDeparture: hop?.isUnmanaged == true)
    case .accountEnrolled(let app, let account, let policies),
      .policyChanged(let app, let account, let policies):
      nodes.record(policies, of: account, in: app)
    case .guestStarted(_, let app, let team):
      if let team { nodes.record(team: team, of: app) }
    case .policyStated: areTextsOld = true
    case .deviceStarted:
      requests.forgetOpen()
      flows.forgetOpen()
    case .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation, .stepFailed, .caseEnded,
      .faultInjected, .itemArrived, .guestReady, .guestSuspended, .guestResumed, .guestExited,
      .claimIgnored, .accountSignedIn, .accountSignedOut, .identitySwitched,
      .identitySwitchRequired, .accessChecked, .accountNotAllowed, .accountRenamed, .wipeAdvanced,
      .accountWiped, .policySaved, .appConfigured, .configurationDelivered, .notificationPosted,
      .telemetryRecorded,
      .declarationsApplied, .managedAppChanged, .administratorInformed, .delegateAsked,
      .enrollmentAsked, .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent,
      .factsStated, .extensionCompleted, .extensionCancelled:
      break
    }
  }

  private mutating func add(_ decision: RequestDecision) {
    counts[decision.verdict.outcome, default: 0] += 1
    let ends = Node.ends(of: decision)
    let from = (ends?.from ?? decision.sender.map(Node.init)).map { number(of: $0) }
    let to = (ends?.to ?? decision.receiver.map(Node.init)).map { number(of: $0) }
    guard let verdict = number(of: decision.verdict), from != .some(nil), to != .some(nil) else {
      lost += 1
      return
    }
    let (sender, receiver) = (from ?? nil, to ?? nil)
    if let sender, let receiver {
      nodes.connect(sender, receiver)
      flows.count(
        FlowTable.Flow(
          from: sender, to: receiver, operation: decision.operation, verdict: verdict),
        of: decision.request)
    }
    requests.add(
      LatestRequests.Row(decision, from: sender, to: receiver, verdict: verdict, at: time))
  }

  /// Returns a node's number, and adds the node if it is new; nil if it is new and a limit has been reached.
  private mutating func number(of node: Node) -> Int? {
    let count = nodes.nodes.count
    guard let number = nodes.number(of: node, atMost: room > 0 ? Self.mostOfEach : count) else {
      return nil
    }
    if number == count { room -= node.text.utf8.count }
    return number
  }

  /// Returns the verdict's number, and adds the verdict if it is new; nil if it is new and a limit has been
  /// reached.
  private mutating func number(of verdict: ExplainedVerdict) -> Int? {
    let count = verdicts.values.count
    guard let number = verdicts.number(of: verdict, atMost: room > 0 ? Self.mostOfEach : count)
    else { return nil }
    if number == count {
      let sources = verdict.reasons.flatMap(\.sources)
      let paths = sources.map(Picture.path)
      unread.formUnion(paths.filter { !cited.contains($0) })
      cited.formUnion(paths)
      let texts = verdict.reasons.map(\.text) + sources + verdict.changes
      room -= texts.reduce(0) { $0 + $1.utf8.count }
    }
    return number
  }

  /// Updates the guests' output and the device's work.
  ///
  /// - Parameters:
  ///   - output: The device's answer to `output`, as JSON; nil keeps the previous output.
  ///   - work: The device's answer to `status`; nil if it does not answer.
  package mutating func show(output: String?, work: String?) {
    self.output = output ?? self.output
    self.work = work
  }

  // MARK: Page

  /// Returns the page, which requests ``state()`` and the updates itself.
  package func page() -> String {
    Page(
      title: title, summary: "", notes: [],
      blocks: [
        (
          "frame",
          JSONWriter.objectLine { writer in
            writer.member("title", title)
            writer.member("live", true)
            writer.strings(
              "views",
              ["map", "requests", "guests", "output"] + (controls == .steps ? ["steps"] : [])
                + ["files"])
            AppName.write(to: &writer)
            writer.strings("operations", RequestTable.operationNames)
            writer.strings("ends", RequestTable.endNames)
            writer.strings("journals", [title])
          }
        )
      ],
      reach: .server
    ).html
  }

  /// Returns everything that the page shows, as one line of JSON.
  package func state() -> String {
    JSONWriter.line { writer in
      writer.object { writer in
        writer.member("reset", true)
        writeNodes(from: 0, to: &writer)
        writeVerdicts(from: 0, to: &writer)
        flows.write(.all, to: &writer)
        requests.write(.all, to: &writer)
        guests.write(.all, to: &writer)
        write(texts, to: &writer)
        writeStatus(to: &writer)
      }
    }
  }

  /// Returns the changes since the last call, as one line of JSON.
  package mutating func changes() -> String {
    readTexts()
    let fresh = texts.filter { sent.texts[$0.key] != $0.value }
    let line = JSONWriter.line { writer in
      writer.object { writer in
        writeNodes(from: sent.nodes, to: &writer)
        writeVerdicts(from: sent.verdicts, to: &writer)
        flows.write(.changes, to: &writer)
        requests.write(.changes, to: &writer)
        guests.write(.changes, to: &writer)
        write(fresh, to: &writer)
        writeStatus(to: &writer)
      }
    }
    sent = Sent(
      nodes: nodes.nodes.count, verdicts: verdicts.values.count, texts: texts,
      changes: sent.changes)
    flows.clearChanges()
    requests.clearChanges()
    guests.clearChanges()
    return line
  }

  fileprivate enum Part {
    case all
    /// The changes since the last update.
    case changes
  }

  private func writeNodes(from start: Int, to writer: inout JSONWriter) {
    guard nodes.nodes.count > start else { return }
    writer.member("firstNode", start)
    nodes.write(from: start, to: &writer)
  }

  private func writeVerdicts(from start: Int, to writer: inout JSONWriter) {
    guard verdicts.values.count > start else { return }
    writer.member("firstVerdict", start)
    writer.array("verdicts", of: verdicts.values[start...]) { $1.write(to: &$0) }
  }

  /// Sentences that count the verdicts and the departures of managed data, in the words of ``Picture``.
  private var headline: String {
    VerdictCounts(
      requests: counts.values.reduce(0, +), encrypted: counts[.encrypted] ?? 0,
      blocked: counts[.blocked] ?? 0, departures: departures
    ).sentences.joined(separator: " ")
  }

  private func writeStatus(to writer: inout JSONWriter) {
    writer.object("status") { writer in
      writer.member("time", Timestamp.text(time))
      writer.member("running", guests.running)
      writer.member("suspended", guests.suspended)
      writer.member("open", requests.open)
      writer.numbers(
        "counts", [Outcome.allowed, .encrypted, .blocked].map { counts[$0] ?? 0 })
      writer.member("lost", lost + flows.uncounted)
      writer.member("headline", headline)
    }
    if let output { writer.member("output", json: output.utf8) }
    writer.member("work", json: (work ?? "null").utf8)
  }

  // MARK: Files

  /// The maximum total size of the texts of files, in bytes.
  private static let mostText = 8 << 20

  /// The minimum number of updates between two reads of all files after policy changes.
  private static let readingPause = 10

  /// Reads newly cited files. After a policy change, reads all cited files again.
  private mutating func readTexts() {
    sent.changes += 1
    if areTextsOld, sent.changes >= Self.readingPause {
      (areTextsOld, sent.changes) = (false, 0)
      texts = [:]
      unread = cited
    }
    var room = Self.mostText - texts.values.reduce(0) { $0 + $1.utf8.count }
    for path in unread.sorted() where texts[path] == nil {
      guard let text = read(path), text.utf8.count <= room else { continue }
      room -= text.utf8.count
      texts[path] = text
    }
    unread = []
  }

  private func write(_ texts: [String: String], to writer: inout JSONWriter) {
    guard !texts.isEmpty else { return }
    writer.object("texts") { $0.members(of: texts) { $0.string($1) } }
  }
}

// MARK: - Flows

/// The flows with their request counts.
private struct FlowTable {
  private var flows = Table<Flow>()
  private var counts: [Int] = []
  /// The number of requests by which managed data left the protection of policies, for each flow.
  private var departures: [Int] = []
  /// The flow of each open request, by request number.
  private var open: [Int: Int] = [:]
  /// The flows whose current counts the page has not received.
  private var changed: Set<Int> = []
  /// The number of requests that belong to no counted flow, because the number of flows is limited.
  private(set) var uncounted = 0

  /// A sender, receiver, operation and verdict. The map shows all requests with the same four values together.
  struct Flow: Hashable {
    /// The number of the sender's node. `to` is the number of the receiver's node.
    var from: Int
    var to: Int
    var operation: Operation
    var verdict: Int
  }

  /// The maximum number of flows, chosen so browsers can display them easily.
  private static let most = 50_000

  mutating func count(_ flow: Flow, of request: Int) {
    guard let number = flows.number(of: flow, atMost: Self.most) else {
      uncounted += 1
      return
    }
    if number == counts.count {
      counts.append(0)
      departures.append(0)
    }
    counts[number] += 1
    open[request] = number
    changed.insert(number)
  }

  mutating func end(_ request: Int, isDeparture: Bool) {
    guard let number = open.removeValue(forKey: request), isDeparture else { return }
    departures[number] += 1
    changed.insert(number)
  }

  /// Drops open requests, because the device has restarted.
  mutating func forgetOpen() { open = [:] }

  mutating func clearChanges() { changed.removeAll(keepingCapacity: true) }

  /// Writes flows with their request counts as a member of an object.
  func write(_ part: LivePicture.Part, to writer: inout JSONWriter) {
    let numbers = part == .all ? Array(counts.indices) : changed.sorted()
    guard !numbers.isEmpty else { return }
    writer.array("flows", of: numbers) { writer, number in
      let flow = flows.values[number]
      writer.array { writer in
        writer.number(number)
        writer.number(flow.from)
        writer.number(flow.to)
        writer.number(RequestTable.number(of: flow.operation))
        writer.number(flow.verdict)
        writer.number(departures[number])
        writer.number(counts[number])
      }
    }
  }
}

// MARK: - Requests

/// The latest requests, and all open requests.
private struct LatestRequests {
  /// The latest rows, in order. ``dropped`` is the number of earlier rows, which were dropped.
  private var rows: [Row] = []
  private var dropped = 0
  /// The number of rows, including dropped ones, that the page has received.
  private var sentCount = 0
  /// The index of each open request's row, by request number. Indices include dropped rows.
  private var openRows: [Int: Int] = [:]
  /// The requests that the page has received and that have ended since the last update.
  private var ended: [(request: Int, end: RequestEnd, detail: String?)] = []

  /// The maximum number of rows, which is about as many as a person reads.
  private static let most = 1_000
  /// The maximum number of open requests to show. The oldest are shown.
  private static let mostOpen = 20

  struct Row {
    var decision: RequestDecision
    var from: Int?
    var to: Int?
    var verdict: Int
    /// The time on the device's clock.
    var time: Int
    var end: RequestEnd?
    /// The detail of the end, such as the reason of a failure; nil if there is none.
    var detail: String?

    init(_ decision: RequestDecision, from: Int?, to: Int?, verdict: Int, at time: Int) {
      self.decision = decision
      self.from = from
      self.to = to
      self.verdict = verdict
      self.time = time
    }

    fileprivate func write(to writer: inout JSONWriter) {
      writer.array { writer in
        writer.number(decision.request)
        writer.string(Timestamp.text(time))
        writer.number(from ?? -1)
        writer.number(to ?? -1)
        writer.number(RequestTable.number(of: decision.operation))
        writer.number(verdict)
        writer.number(RequestTable.number(of: end))
        writer.optional(decision.owner)
        writer.optional(decision.shownSubject)
        writer.array { writer in for item in decision.from { writer.number(item) } }
        writer.optional(detail)
      }
    }
  }

  var open: Int { openRows.count }

  mutating func add(_ row: Row) {
    openRows[row.decision.request] = dropped + rows.count
    rows.append(row)
    // Rows are dropped in batches.
    guard rows.count >= 2 * Self.most else { return }
    rows.removeFirst(Self.most)
    dropped += Self.most
  }

  mutating func end(_ request: Int, _ end: RequestEnd, _ detail: String?) {
    guard let place = openRows.removeValue(forKey: request) else { return }
    guard place >= dropped else { return }
    rows[place - dropped].end = end
    rows[place - dropped].detail = detail
    if place < sentCount { ended.append((request, end, detail)) }
  }

  /// Drops open requests, because the device has restarted.
  mutating func forgetOpen() { openRows = [:] }

  mutating func clearChanges() {
    sentCount = dropped + rows.count
    ended = []
  }

  /// Writes rows, ends and open requests as members of an object.
  func write(_ part: LivePicture.Part, to writer: inout JSONWriter) {
    let first = max(part == .all ? 0 : sentCount - dropped, rows.count - Self.most, 0)
    writer.array("rows", of: rows[first...]) { $1.write(to: &$0) }
    writer.array("ended", of: part == .all ? [] : ended) { writer, ended in
      writer.array { writer in
        writer.number(ended.request)
        writer.number(RequestTable.number(of: ended.end))
        writer.optional(ended.detail)
      }
    }
    writer.numbers("waiting", Array(openRows.keys.sorted().prefix(Self.mostOpen)))
  }
}

extension JSONWriter {
  fileprivate mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }
}

// MARK: - Guests

/// The current state of all guests.
private struct GuestTable {
  private var guests = Table<String>()
  private var states: [State] = []
  private var changed: Set<Int> = []

  private struct State {
    var app: String
    var word: Word
    /// The acting identity; nil if unknown.
    var identity: String?
    /// The reason for the exit; nil if the guest runs, or if its device stopped first.
    var exit: String?
  }

  private enum Word: String {
    case running, suspended, ended
  }

  /// The maximum number of guests. Each extension run counts as one guest.
  private static let most = 20_000

  var running: Int { states.count { $0.word != .ended } }
  var suspended: Int { states.count { $0.word == .suspended } }

  mutating func add(_ kind: JournalEvent.Kind) {
    switch kind {
    case .guestStarted(let guest, let app, _):
      change(guest) {
        $0 = State(app: app, word: .running, identity: nil, exit: nil)
      }
    case .guestSuspended(let guest): change(guest) { $0.word = .suspended }
    case .guestResumed(let guest): change(guest) { $0.word = .running }
    case .guestExited(let guest, let cause, let text):
      change(guest) {
        $0.word = .ended
        $0.exit = "\(cause): \(text)"
      }
    case .identitySwitched(let guest, let identity, let isManaged):
      change(guest) { $0.identity = Self.words(identity, isManaged: isManaged) }
    case .decided(let decision):
      for case let end? in [decision.sender, decision.receiver] { record(end) }
    case .deviceStarted:
      // Processes of the previous run no longer exist.
      for number in states.indices where states[number].word != .ended {
        states[number].word = .ended
        changed.insert(number)
      }
    case .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation, .stepFailed, .caseEnded,
      .faultInjected, .itemArrived, .guestReady, .claimIgnored, .accountEnrolled, .accountSignedIn,
      .accountSignedOut, .identitySwitchRequired, .accessChecked, .accountNotAllowed,
      .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged, .policySaved, .appConfigured,
      .configurationDelivered, .notificationPosted, .telemetryRecorded, .declarationsApplied,
      .managedAppChanged,
      .administratorInformed, .delegateAsked, .enrollmentAsked, .enrollmentAnswered,
      .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated, .factsStated, .ended,
      .extensionCompleted, .extensionCancelled:
      break
    }
  }

  /// Records the acting identity of a request's participant. Identity switches do not always show it, because an app
  /// with one account acts for the account without a switch.
  private mutating func record(_ end: Participant) {
    let words = Self.words(end.identity, isManaged: end.isManaged)
    guard let number = guests.known(end.guest), states[number].identity != words else { return }
    states[number].identity = words
    changed.insert(number)
  }

  private static func words(_ identity: String?, isManaged: Bool) -> String? {
    identity.map { name in
      (name.isEmpty ? "unknown account" : name) + (isManaged ? " (managed)" : "")
    }
  }

  private mutating func change(_ guest: String, _ body: (inout State) -> Void) {
    guard let number = guests.number(of: guest, atMost: Self.most) else { return }
    if number == states.count { states.append(State(app: "", word: .running)) }
    body(&states[number])
    changed.insert(number)
  }

  mutating func clearChanges() { changed.removeAll(keepingCapacity: true) }

  func write(_ part: LivePicture.Part, to writer: inout JSONWriter) {
    let numbers = part == .all ? Array(states.indices) : changed.sorted()
    guard !numbers.isEmpty else { return }
    writer.array("guests", of: numbers) { writer, number in
      writer.array { writer in
        writer.number(number)
        writer.string(guests.values[number])
        writer.string(states[number].app)
        writer.string(states[number].word.rawValue)
        writer.string(states[number].identity ?? "")
        writer.string(states[number].exit ?? "")
      }
    }
  }
}
