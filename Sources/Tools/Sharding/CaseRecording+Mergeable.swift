public import JSON
internal import Model
public import Scenario

extension CaseRecording: Mergeable {
  /// Writes what the journal does not hold.
  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("nanoseconds", Int(duration / .nanoseconds(1)))
    if !output.isEmpty {
      writer.array("output") { writer in
        for output in output { output.write(to: &writer) }
      }
    }
    if !returned.isEmpty {
      writer.array("returned") { writer in
        for (place, text) in returned.sorted(by: { $0.key < $1.key }) {
          writer.array { writer in
            writer.number(place.request)
            writer.string(text)
            if let device = place.device { writer.string(device) }
          }
        }
      }
    }
    if !unordered.isEmpty { writer.numbers("unordered", unordered.sorted()) }
  }

  public init?(_ result: PieceResult, of piece: Piece) {
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
  /// The names of the cases that begin in it.
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
