public import JSON
public import Model
public import Simulation

extension JournalExtract: Mergeable {
  public var events: [JournalEvent] { entries.map(\.event) }

  public func writeMembers(to writer: inout JSONWriter) {
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

  public init?(_ result: PieceResult, of piece: Piece) {
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

  /// The decisions that are not made anew, by the name that blobs have for them.
  private static var kinds: [(String, WritableKeyPath<ReplayReport.Besides, [Operation: Int]>)] {
    [
      ("noTransfers", \.noTransfers), ("withoutRules", \.withoutRules),
      ("withoutFacts", \.withoutFacts),
    ]
  }
}
