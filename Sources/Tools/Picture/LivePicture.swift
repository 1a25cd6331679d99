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
  private var texts: [String: String] = [:]
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
    /// The number of verdicts whose files were read.
    var sources = 0
    var texts: Set<String> = []
  }

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
    case .policyStated: forgetTexts()
    case .deviceStarted: requests.forgetOpen()
    default: break
    }
  }

  private mutating func add(_ decision: RequestDecision) {
    counts[decision.verdict.outcome, default: 0] += 1
    let ends = Node.ends(of: decision)
    let from = (ends?.from ?? decision.sender.map(Node.init)).map { nodes.number(of: $0) }
    let to = (ends?.to ?? decision.receiver.map(Node.init)).map { nodes.number(of: $0) }
    let verdict = verdicts.number(of: decision.verdict)
    if let from, let to {
      nodes.connect(from, to)
      flows.count(
        FlowTable.Flow(from: from, to: to, operation: decision.operation, verdict: verdict))
    }
    requests.add(
      LatestRequests.Row(decision, from: from, to: to, verdict: verdict, at: time))
  }

  /// Has files read anew: policies have changed.
  private mutating func forgetTexts() {
    texts = [:]
    told.texts = []
    told.sources = 0
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
    addTexts()
    let fresh = texts.filter { !told.texts.contains($0.key) }
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
      nodes: nodes.nodes.count, verdicts: verdicts.values.count,
      sources: verdicts.values.count, texts: Set(texts.keys))
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
      writer.member("lost", flows.uncounted)
    }
    if let output { writer.member("output", json: output.utf8) }
    writer.member("work", json: (work ?? "null").utf8)
  }

  // MARK: files

  /// The most bytes of files together.
  private static let mostText = 8 << 20

  /// Reads the files that verdicts name for the first time.
  private mutating func addTexts() {
    var room = Self.mostText - texts.values.reduce(0) { $0 + $1.utf8.count }
    let places = verdicts.values[told.sources...].flatMap(\.reasons).compactMap(\.source)
    for path in Set(places.map(Picture.path)).sorted() where texts[path] == nil {
      guard let text = read(path), text.utf8.count <= room else { continue }
      room -= text.utf8.count
      texts[path] = text
    }
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
