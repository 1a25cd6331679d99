package import Conformance
package import Encodings
package import Model
package import Replay
package import Scenario

/// The outcome of a piece of a run, such as a case. A blob can store it.
package protocol Mergeable: Sendable {
  /// The events that the piece recorded; empty for rounds of a walk and for checks without a recording.
  var events: [JournalEvent] { get }

  /// Writes the outcome without ``events``, as members of a JSON object.
  func writeMembers(to writer: inout JSONWriter)

  /// Restores the outcome from a result in a blob. Returns nil if the result belongs to another type of outcome.
  init?(_ result: PieceResult, of piece: Piece)
}

/// A piece's result as stored in a blob.
package struct PieceResult: Sendable {
  /// The result as a JSON object. The command chooses its members.
  package var members: JSONValue
  /// The events that the piece recorded, from ``Mergeable/events``.
  package var events: [JournalEvent]
}

// MARK: - Cases

extension CaseRecording: Mergeable {
  /// Writes the parts of the recording that its events do not contain.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("nanoseconds", Int(duration / .nanoseconds(1)))
    if !output.isEmpty { writer.array("output", of: output) { $1.write(to: &$0) } }
    if !returned.isEmpty {
      let returned = returned.sorted { $0.key < $1.key }
      writer.array("returned", of: returned) { writer, element in
        writer.array { writer in
          writer.number(element.key.request)
          writer.string(element.value)
          if let device = element.key.device { writer.string(device) }
        }
      }
    }
    if !unordered.isEmpty { writer.numbers("unordered", unordered.sorted()) }
  }

  package init?(_ result: PieceResult, of piece: Piece) {
    guard let time = result.members["nanoseconds"]?.int, time >= 0,
      (result.events.byDevice?.map(\.events) ?? [result.events[...]])
        .allSatisfy({ $0.begunCases == [piece.name] })
    else { return nil }
    let returned = (result.members["returned"]?.array ?? []).compactMap { pair in
      pair.array.flatMap { pair -> (RequestPlace, String)? in
        guard pair.count == 2 || pair.count == 3, let request = pair[0].int,
          let text = pair[1].string
        else {
          return nil
        }
        return (
          RequestPlace(device: pair.count == 3 ? pair[2].string : nil, request: request), text
        )
      }
    }
    self.init(
      events: result.events, duration: .nanoseconds(time),
      output: (result.members["output"]?.array ?? []).compactMap(GuestOutput.init),
      returned: Dictionary(returned) { $1 },
      unordered: Set((result.members["unordered"]?.array ?? []).compactMap(\.int)))
  }
}

extension ArraySlice<JournalEvent> {
  fileprivate var begunCases: [String] {
    compactMap { if case .caseBegan(_, let name, _) = $0.kind { name } else { nil } }
  }
}

extension GuestOutput {
  fileprivate init?(_ value: JSONValue) {
    guard let guest = value["guest"]?.string, let lines = value["lines"]?.array,
      let count = value["count"]?.count
    else { return nil }
    self.init(guest: guest, lines: lines.compactMap(\.string), count: count)
  }
}

// MARK: - Criteria checks

extension CriteriaCertificate.Check: Mergeable {
  package var events: [JournalEvent] { recording?.events ?? [] }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("checked", Int(duration / .nanoseconds(1)))
    switch kind {
    case .ran(_, let recording, let file):
      writer.member("file", file)
      recording.writeMembers(to: &writer)
    case .walked(let report): writer.object("walk", report.writeMembers)
    case .misfit(let why): writer.member("misfit", why)
    case .defect(let sentence): writer.member("fault", sentence)
    }
  }

  package init?(_ result: PieceResult, of piece: Piece) {
    guard let kind = Kind(result, of: piece), let time = result.members["checked"]?.int, time >= 0
    else { return nil }
    self.init(kind, duration: .nanoseconds(time))
  }
}

extension CriteriaCertificate.Check.Kind {
  fileprivate init?(_ result: PieceResult, of piece: Piece) {
    let members = result.members
    if let file = members["file"]?.string {
      guard let recording = CaseRecording(result, of: piece) else { return nil }
      self = .ran(recording, of: file)
    } else if let walk = members["walk"] {
      guard let report = WalkReport(walk) else { return nil }
      self = .walked(report)
    } else if let why = members["misfit"]?.string {
      self = .misfit(why)
    } else if let sentence = members["fault"]?.string {
      self = .defect(sentence)
    } else {
      return nil
    }
  }
}

// MARK: - Journals

extension JournalExtract: Mergeable {
  package var events: [JournalEvent] { entries.map(\.event) }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.numbers("lines", entries.map(\.line))
    writer.numbers("counts", entries.map(\.count))
    if let span { writer.numbers("span", [span.first, span.last, span.line]) }
    writer.member("cutOff", isCutOff)
    for (name, path) in Self.kinds {
      writer.member(named: name) { writer in
        writer.object { writer in
          let counts = besides[keyPath: path]
          for (operation, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.member(named: operation.rawValue) { $0.number(count) }
          }
        }
      }
    }
  }

  package init?(_ result: PieceResult, of piece: Piece) {
    self.init()
    let members = result.members
    guard let lines = members["lines"]?.array?.compactMap(\.count),
      lines.count == result.events.count,
      let counts = members["counts"]?.array?.compactMap(\.count), counts.count == lines.count,
      let isCutOff = members["cutOff"]?.bool
    else { return nil }
    for (event, (line, count)) in zip(result.events, zip(lines, counts)) {
      entries.append(Entry(line: line, event: event, count: count))
    }
    self.isCutOff = isCutOff
    if let numbers = members["span"]?.array?.compactMap(\.count) {
      guard numbers.count == 3 else { return nil }
      span = Span(first: numbers[0], last: numbers[1], line: numbers[2])
    }
    for (name, path) in Self.kinds {
      for member in members[name]?.members ?? [] {
        guard let operation = Operation(rawValue: member.name), let count = member.value.count
        else { return nil }
        besides[keyPath: path][operation] = count
      }
    }
  }

  /// The kinds of decisions that are not replayed. Each kind has a name in blobs, and a key path to the numbers of its
  /// decisions by operation.
  private static var kinds: [(String, WritableKeyPath<ReplayReport.Besides, [Operation: Int]>)] {
    [
      ("noTransfers", \.noTransfers), ("withoutRules", \.withoutRules),
      ("withoutFacts", \.withoutFacts),
    ]
  }
}

// MARK: - Walk rounds

/// The outcome of a round of a walk.
package struct RoundOutcome: Mergeable {
  /// The report of the round; nil if the round was skipped because an earlier round had failed.
  package var report: WalkReport?

  package init(_ report: WalkReport?) { self.report = report }

  package var events: [JournalEvent] { [] }

  package func writeMembers(to writer: inout JSONWriter) { report?.writeMembers(to: &writer) }

  package init?(_ result: PieceResult, of piece: Piece) {
    guard result.members.members?.isEmpty == false else {
      self.init(nil)
      return
    }
    guard let report = WalkReport(result.members) else { return nil }
    self.init(report)
  }
}
