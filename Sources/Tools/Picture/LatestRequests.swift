internal import JSON
internal import Model

/// The latest requests, and how many of all have not ended.
struct LatestRequests {
  /// The rows in their order, the latest last; the number of all before the first of them.
  private var rows: [Row] = []
  private var dropped = 0
  /// The number of rows, dropped ones among them, that the page has been told.
  private var told = 0
  /// The places of rows, dropped ones counted, by the numbers of their requests; of those that have not ended.
  private var openRows: [Int: Int] = [:]
  /// The requests that ended since the page was told last, of those that it knows.
  private var ended: [(request: Int, end: RequestEnd)] = []

  /// The number of rows that are kept: as many as one looks through.
  private static let most = 1_000
  /// The number of open requests that are shown: those that have waited for longest.
  private static let mostOpen = 20

  struct Row {
    var decision: RequestDecision
    var from: Int?
    var to: Int?
    var verdict: Int
    /// The device's clock.
    var time: Int
    var end: RequestEnd?

    init(_ decision: RequestDecision, from: Int?, to: Int?, verdict: Int, at time: Int) {
      self.decision = decision
      self.from = from
      self.to = to
      self.verdict = verdict
      self.time = time
    }
  }

  /// The number of requests that have not ended.
  var open: Int { openRows.count }

  mutating func add(_ row: Row) {
    openRows[row.decision.request] = dropped + rows.count
    rows.append(row)
    // In one go, not one by one.
    guard rows.count >= 2 * Self.most else { return }
    rows.removeFirst(Self.most)
    dropped += Self.most
  }

  mutating func end(_ request: Int, _ end: RequestEnd) {
    guard let place = openRows.removeValue(forKey: request) else { return }
    guard place >= dropped else { return }
    rows[place - dropped].end = end
    if place < told { ended.append((request, end)) }
  }

  /// Forgets what a device that went down has left open.
  mutating func forgetOpen() { openRows = [:] }

  mutating func settle() {
    told = dropped + rows.count
    ended = []
  }

  /// Writes rows, ends and what waits, as members of an object.
  func write(_ part: LivePicture.Part, to writer: inout JSONWriter) {
    let first = max(part == .all ? 0 : told - dropped, rows.count - Self.most, 0)
    writer.array("rows") { writer in
      for row in rows[first...] { row.write(to: &writer) }
    }
    writer.array("ended") { writer in
      for (request, end) in part == .all ? [] : ended {
        writer.array { writer in
          writer.number(request)
          writer.number(RequestTable.number(of: end))
        }
      }
    }
    writer.numbers("waiting", Array(openRows.keys.sorted().prefix(Self.mostOpen)))
  }
}

extension LatestRequests.Row {
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
      writer.optional(decision.subject)
      writer.array { writer in for item in decision.from { writer.number(item) } }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }
}
