package import JSON
package import Model
internal import Scenario
package import Simulation

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
    case .fault(let sentence): writer.member("fault", sentence)
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
      self = .fault(sentence)
    } else {
      return nil
    }
  }
}
