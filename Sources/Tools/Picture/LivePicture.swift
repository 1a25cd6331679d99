internal import JSON
public import Model
internal import Scenario

/// What happens on a device now, as a page that is told what has changed: who shares what with whom, the rule behind each
/// verdict, the latest requests, and guests.
///
/// Requests are counted by flow; of the requests themselves the page has the latest, so that a device may be watched for
/// as long as one likes.
public struct LivePicture: Sendable {
  private let title: String
  private let controls: Controls
  private let read: @Sendable (String) -> String?
  private var nodes = NodeTable()
  private var verdicts = Table<ExplainedVerdict>()
  private var flows = FlowTable()
  private var requests = LatestRequests()
  private var guests = GuestTable()
  private var counts: [Outcome: Int] = [:]
  private var time = 0
  /// The requests that are counted only, because there are too many nodes or verdicts.
  private var lost = 0
  private var room = mostBytes
  private var texts: [String: String] = [:]
  /// The paths of files that verdicts name.
  private var cited: Set<String> = []
  /// Those of them that are to be read.
  private var unread: Set<String> = []
  private var areTextsOld = false
  private var output: String?
  private var work: String?
  private var told = Told()

  /// What whoever sees the page may do.
  public enum Controls: Sendable {
    case look
    /// Have the device carry out steps.
    case steps
  }

  /// How much of everything the page has been told.
  private struct Told {
    var nodes = 0
    var verdicts = 0
    var texts: [String: String] = [:]
    /// The changes since files were read.
    var changes = 0
  }

  /// The most nodes, and the most verdicts: each is told to every page.
  private static let mostOfEach = 20_000
  /// The most bytes of the names and texts of them, together.
  private static let mostBytes = 32 << 20

  /// A picture of nothing yet.
  ///
  /// - Parameter read: the text of a policy or scenario by its path, as verdicts name it; nil where the page may not show it.
  public init(
    title: String, _ controls: Controls, reading read: @escaping @Sendable (String) -> String?
  ) {
    self.title = title
    self.controls = controls
    self.read = read
  }

  /// The same picture without anything that has happened.
  public var emptied: LivePicture { LivePicture(title: title, controls, reading: read) }

  // MARK: events

  /// Adds what has happened.
  public mutating func add(_ event: JournalEvent) {
    time = event.time
    guests.add(event.kind)
    switch event.kind {
    case .decided(let decision): add(decision)
    case .ended(let request, let end, _, _): requests.end(request, end)
    case .accountEnrolled(let app, let account, let policies),
      .policyChanged(let app, let account, let policies):
      nodes.note(policies, of: account, in: app)
    case .guestStarted(_, let app, let team):
      if let team { nodes.note(team: team, of: app) }
    case .policyStated: areTextsOld = true
    case .deviceStarted: requests.forgetOpen()
    case .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation, .stepFailed, .caseEnded,
      .faultInjected, .itemArrived, .guestReady, .guestSuspended, .guestResumed, .guestExited,
      .claimIgnored, .accountSignedIn, .accountSignedOut, .identitySwitched,
      .identitySwitchRequired, .accessChecked, .accountNotAllowed, .accountRenamed, .wipeAdvanced,
      .accountWiped, .policySaved, .appConfigured, .configurationDelivered, .telemetryRecorded,
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
          from: sender, to: receiver, operation: decision.operation, verdict: verdict))
    }
    requests.add(
      LatestRequests.Row(decision, from: sender, to: receiver, verdict: verdict, at: time))
  }

  /// The number of a node; nil where there is no room for it.
  private mutating func number(of node: Node) -> Int? {
    let count = nodes.nodes.count
    guard let number = nodes.number(of: node, atMost: room > 0 ? Self.mostOfEach : count) else {
      return nil
    }
    if number == count { room -= node.text.utf8.count }
    return number
  }

  /// The number of a verdict; nil where there is no room for it.
  private mutating func number(of verdict: ExplainedVerdict) -> Int? {
    let count = verdicts.values.count
    guard let number = verdicts.number(of: verdict, atMost: room > 0 ? Self.mostOfEach : count)
    else { return nil }
    if number == count {
      let paths = verdict.reasons.compactMap(\.source).map(Picture.path)
      unread.formUnion(paths.filter { !cited.contains($0) })
      cited.formUnion(paths)
      room -= verdict.reasons.reduce(0) { $0 + $1.text.utf8.count + ($1.source?.utf8.count ?? 0) }
      room -= verdict.changes.reduce(0) { $0 + $1.utf8.count }
    }
    return number
  }

  /// Shows what guests wrote last, and what the device works on.
  ///
  /// - Parameters:
  ///   - output: the device's answer to `output`, as JSON; nil: none.
  ///   - work: its answer to `status`; nil: it does not answer.
  public mutating func show(output: String?, work: String?) {
    self.output = output ?? self.output
    self.work = work
  }

  // MARK: page

  /// The page, which asks for the picture's ``state()`` and changes by itself.
  public func page() -> String {
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
            writer.strings("operations", RequestTable.operationNames)
            writer.strings("ends", RequestTable.endNames)
            writer.strings("journals", [title])
          }
        )
      ],
      reach: .server
    ).html
  }

  /// All that the page shows, as JSON in one line.
  public func state() -> String {
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

  /// What has changed since this was called last, as JSON in one line.
  public mutating func changes() -> String {
    readTexts()
    let fresh = texts.filter { told.texts[$0.key] != $0.value }
    let line = JSONWriter.line { writer in
      writer.object { writer in
        writeNodes(from: told.nodes, to: &writer)
        writeVerdicts(from: told.verdicts, to: &writer)
        flows.write(.changes, to: &writer)
        requests.write(.changes, to: &writer)
        guests.write(.changes, to: &writer)
        write(fresh, to: &writer)
        writeStatus(to: &writer)
      }
    }
    told = Told(
      nodes: nodes.nodes.count, verdicts: verdicts.values.count, texts: texts,
      changes: told.changes)
    flows.settle()
    requests.settle()
    guests.settle()
    return line
  }

  /// The part of a table that is written.
  enum Part {
    case all
    /// What has changed since the page was told last.
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
    writer.array("verdicts") { writer in
      for verdict in verdicts.values[start...] { verdict.write(to: &writer) }
    }
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
    }
    if let output { writer.member("output", json: output.utf8) }
    writer.member("work", json: (work ?? "null").utf8)
  }

  // MARK: files

  /// The most bytes of files together.
  private static let mostText = 8 << 20

  /// The number of changes after which files are read anew, where policies have changed.
  private static let readingPause = 10

  /// Reads the files that verdicts name for the first time and, where policies have changed, all of them.
  private mutating func readTexts() {
    told.changes += 1
    if areTextsOld, told.changes >= Self.readingPause {
      (areTextsOld, told.changes) = (false, 0)
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
    writer.object("texts") { writer in
      for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
        writer.member(named: name) { $0.string(text) }
      }
    }
  }
}
